import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pauseMonitoring, resumeMonitoring } from "../../../src/cli/verbs/monitoring";
import { readPaused } from "../../../src/store/paused-flag";
import type { Places } from "../../../src/store/places";
import { cliIo } from "../../cli-io";
import { T } from "../../session/signal-sample";
import { scratchPlaces } from "../../scratch";

let places: Places;
let io: ReturnType<typeof cliIo>;

beforeEach(() => {
  places = scratchPlaces();
  io = cliIo(places, { clock: () => T * 1000 });
});

function document() {
  return JSON.parse(readFileSync(places.signalStateFile, "utf8"));
}

test("pausing sets our flag and Agent Signal's off, which clears its sessions", () => {
  pauseMonitoring(io);
  expect(readPaused(places)).toEqual({ paused: true, since: T });
  expect(document()).toMatchObject({
    aggregate: "off",
    sessions: {},
    events: [{ session_id: "manual", signal: "off", event: "ManualSet", updated_at: "2026-05-28T20:26:40Z" }],
  });
});

test("resuming clears both", () => {
  pauseMonitoring(io);
  resumeMonitoring(io);
  expect(readPaused(places)).toEqual({ paused: false });
  expect(document()).toMatchObject({ aggregate: "idle", sessions: {} });
});

test("when the document cannot be written, the flag is set all the same", () => {
  writeFileSync(join(places.signalStateFile, "..", "..", "signal"), "a file where the folder should be");
  expect(() => pauseMonitoring(io)).toThrow("Cannot create state directory");
  expect(readPaused(places).paused).toBe(true);
});
