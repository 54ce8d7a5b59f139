import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../../src/cli/run";
import { snapshotSchema, statusSchema } from "../../src/cli/snapshot-schema";
import { decodeSignalDocument } from "../../src/files/signal-document";
import { cliIo } from "../cli-io";
import { scratchPlaces } from "../scratch";

/** The state document of Agent Signal's description, as it stands there. */
const DOCUMENT = {
  schema_version: 1,
  aggregate: "working",
  updated_at: "2026-05-28T03:45:00Z",
  sessions: {
    "codex-main": { agent: "codex", signal: "working", last_event: "PreToolUse", updated_at: "2026-05-28T03:45:00Z" },
  },
  events: [
    {
      id: "D4204E0A-5B5D-4DFB-A3BC-643E6C7C6F8F",
      session_id: "codex-main",
      agent: "codex",
      signal: "working",
      event: "PreToolUse",
      updated_at: "2026-05-28T03:45:00Z",
    },
  ],
};

/** A minute after it was written. */
const clock = () => Date.parse("2026-05-28T03:46:00Z");

async function printed(argv: string[], setUp: (places: ReturnType<typeof scratchPlaces>) => void): Promise<unknown> {
  const places = scratchPlaces();
  setUp(places);
  const io = cliIo(places, { clock });
  expect(await run(argv, io)).toBe(0);
  return JSON.parse(io.out());
}

function withDocument(document: object) {
  return ({ signalStateFile }: ReturnType<typeof scratchPlaces>) => {
    mkdirSync(dirname(signalStateFile), { recursive: true });
    writeFileSync(signalStateFile, JSON.stringify(document));
  };
}

test("the example document is listed", async () => {
  const snapshot = snapshotSchema.parse(await printed(["list", "--json"], withDocument(DOCUMENT)));
  expect(snapshot.problems).toEqual([]);
  expect(snapshot.sessions).toMatchObject([
    { id: "codex:codex-main", state: "working", age_seconds: 60, event: "PreToolUse", sources: ["signal"] },
  ]);
});

test("and its status has the values of the example output", async () => {
  const status = statusSchema.parse(await printed(["status", "--json"], withDocument(DOCUMENT)));
  expect(status).toMatchObject({
    schema_version: 1,
    aggregate: "working",
    display_state: "active",
    lamp_state: "active",
    priority: 50,
    updated_at: "2026-05-28T03:45:00Z",
    sessions: [
      {
        session_id: "codex-main",
        agent: "codex",
        signal: "working",
        last_event: "PreToolUse",
        updated_at: "2026-05-28T03:45:00Z",
      },
    ],
    recent_events: DOCUMENT.events,
  });
});

test("an older document without version and events is read", () => {
  const { sessions } = DOCUMENT;
  expect(decodeSignalDocument(JSON.stringify({ sessions }))).toMatchObject({
    outcome: "document",
    document: { events: [] },
  });
});

test.each(["claude", "codex", "opencode"])(
  "the agent %s of the status file's description is listed by its name",
  async (agent) => {
    const snapshot = snapshotSchema.parse(
      await printed(["list", "--json"], ({ statusDirectory }) => {
        const file = { session_id: "s1", agent, state: "working", ts: clock() / 1000 - 5, tool: "Bash" };
        writeFileSync(join(statusDirectory, "s1.json"), JSON.stringify(file));
      }),
    );
    expect(snapshot.sessions).toMatchObject([{ id: `${agent}:s1`, agent, tool: "Bash", age_seconds: 5 }]);
  },
);
