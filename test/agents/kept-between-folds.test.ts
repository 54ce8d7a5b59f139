import { mapperOf } from "../../src/agents/registry";
import { decodeSessionFile, encodeSessionFile } from "../../src/files/session-file";
import { reduce } from "../../src/session/reduce";
import { Player } from "../player";
import { recording, recordingsIn } from "../recording";
import { scratchPlaces } from "../scratch";
import { asPluginSends } from "./opencode/plugin";

const RECORDED: [string, string[]][] = [
  ["claude", ["claude", "claude-control", "claude-mods", "claude-peers"]],
  ["codex", ["codex", "codex-daemon", "codex-more"]],
  ["gemini", ["gemini", "gemini-more"]],
  ["opencode", ["opencode", "opencode-more"]],
  ["qwen", ["qwen"]],
];

const isHooks = (name: string) => !/mod-events|claude-peers\/status/.test(name);

const cases = RECORDED.flatMap(([agent, folders]) =>
  folders.flatMap((folder) =>
    recordingsIn(folder)
      .filter(isHooks)
      .map((name): [string, string] => [name, agent]),
  ),
);

// A fold may end after any event: what the next one needs has to be in the session's file.
test.each(cases)("nothing of a session is lost between two events of %s", (name, agent) => {
  const player = new Player(scratchPlaces().statusDirectory, agent);
  const entries = recording(name);
  for (const entry of agent === "opencode" ? asPluginSends(entries) : entries) {
    player.play(entry);
    for (const [id, record] of player.records) {
      const read = decodeSessionFile(encodeSessionFile({ record, folded: [] }));
      if (read.outcome !== "session") throw new Error(JSON.stringify(read.findings));
      expect(read.file.record).toEqual(record);
      player.records.set(id, read.file.record);
    }
  }
});

test("nor is what an agent calls by a name that objects have already", () => {
  const names = ["__proto__", "constructor", "toString", "b1"];
  const running = names.map((id) => ({ id, type: "shell", status: "running", command: `serve ${id}` }));
  const payload = { session_id: "s1", hook_event_name: "Stop", background_tasks: running };
  const mapped = mapperOf("claude")(payload, { at: 1_800_000_000, env: {} });
  if (mapped.outcome !== "event") throw new Error(mapped.outcome);
  const record = reduce(undefined, mapped.identity, mapped.event);
  expect(Object.keys(record.background)).toEqual(names);
  const read = decodeSessionFile(encodeSessionFile({ record, folded: [] }));
  expect(read).toMatchObject({ outcome: "session", file: { record: { background: { b1: { command: "serve b1" } } } } });
  expect(read.outcome === "session" && Object.keys(read.file.record.background)).toEqual(names);
});
