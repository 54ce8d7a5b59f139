import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { decodeSignalDocument } from "../../src/files/signal-document";
import { foldEvents } from "../../src/observe/folding";
import { clearPaused, setPaused } from "../../src/store/paused-flag";
import type { Places } from "../../src/store/places";
import { deliver } from "../inbox-file";
import { scratchPlaces } from "../scratch";

const AT = 1_800_000_000;

function report(places: Places, event: string, at: number): void {
  const payload = { session_id: "s1", hook_event_name: event, prompt: "Go", cwd: "/w" };
  deliver(places.home, { agent: "claude", event, at, payload });
  foldEvents(places, {}, () => (at + 1) * 1000);
}

test("while monitoring is paused no signal of ours is written; once it goes on, the next event is", () => {
  const places = scratchPlaces();
  const { signalStateFile } = places;
  const empty = JSON.stringify({ schema_version: 1, sessions: {}, events: [] });
  mkdirSync(dirname(signalStateFile), { recursive: true });
  writeFileSync(signalStateFile, empty);
  setPaused(places, AT);
  report(places, "UserPromptSubmit", AT + 1);
  expect(readFileSync(signalStateFile, "utf8")).toBe(empty);
  clearPaused(places);
  report(places, "Stop", AT + 2);
  const decoded = decodeSignalDocument(readFileSync(signalStateFile, "utf8"));
  const sessions = decoded.outcome === "document" ? Array.from(decoded.document.sessions.values()) : [];
  expect(sessions.map(({ signal }) => signal)).toEqual(["done"]);
});
