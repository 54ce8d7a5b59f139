import fc from "fast-check";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { HOOKS } from "../../src/cli/signal/hook-command";
import type { SignalIo } from "../../src/cli/signal/io";
import { runSignal } from "../../src/cli/signal/run-signal";
import { decodeSignalDocument } from "../../src/files/signal-document";
import { environmentOf } from "../environment";
import { payloadOf } from "../player";
import { scratchPlaces } from "../scratch";
import { calmFault } from "./calm";
import { fuzz } from "./fuzz";
import { mutatedFiles } from "./mutation";
import { eventsOf, NOW, signalSamples, spread } from "./samples";

const OTHER = { signal: "working", updated_at: NOW - 30, agent: "gemini", last_event: "Compile" };

/** Agent Signal's command with an input, over a document of its own. */
function command(stateFile: string, input: string) {
  const written = { out: "", err: "" };
  const io: SignalIo = {
    program: "agent-signal",
    version: "0.0.0",
    stdout: (text) => void (written.out += text),
    stderr: (text) => void (written.err += text),
    readStdin: () => input,
    isTerminal: false,
    environment: { ...environmentOf({ ...places, signalStateFile: stateFile }), HOME: dirname(stateFile) },
    folder: dirname(stateFile),
    pid: 1,
    now: () => NOW,
    uuid: () => "5e551011-0000-4000-8000-ffffffffffff",
  };
  return { io, written };
}

const places = scratchPlaces();
mkdirSync(dirname(places.signalStateFile), { recursive: true });

/** The document as it is on the disk, which always can be read. */
function document() {
  const decoded = decodeSignalDocument(readFileSync(places.signalStateFile, "utf8"));
  if (decoded.outcome !== "document") throw new Error(`the document is damaged: ${decoded.reason}`);
  return decoded.document;
}

const samples = ["claude", "codex", "gemini", "opencode"].flatMap((agent) =>
  spread(eventsOf(agent), 10).map((entry) => JSON.stringify(payloadOf(entry))),
);

for (const hook of Object.keys(HOOKS)) {
  const name = hook === "generic" ? "agent-hook" : `${hook}-hook`;

  fuzz(`agent-signal ${name}`, 25, mutatedFiles(samples), async (bytes, tally) => {
    writeFileSync(
      places.signalStateFile,
      JSON.stringify({ schema_version: 1, sessions: { other: OTHER }, events: [] }),
    );
    const { io, written } = command(places.signalStateFile, bytes.toString("utf8"));
    const code = await runSignal([name], io);
    // What a hook prints goes to the agent.
    expect(written.out).toBe("");
    if (code !== 0) {
      expect([code, written.err]).toEqual([1, expect.stringMatching(/^agent-signal: \S/)]);
      tally.refused();
    }
    expect(calmFault(written.err)).toBeUndefined();
    const { sessions } = document();
    expect(sessions.get("other")).toMatchObject({ signal: "working", agent: "gemini", lastEvent: "Compile" });
    expect(sessions.size).toBeLessThanOrEqual(2);
  });
}

fuzz(
  "agent-signal over a damaged document",
  25,
  fc.tuple(mutatedFiles(signalSamples()), fc.boolean()),
  async ([bytes, isJson], tally) => {
    writeFileSync(places.signalStateFile, bytes);
    const shown = command(places.signalStateFile, "");
    expect(await runSignal(["status", ...(isJson ? ["--json"] : [])], shown.io)).toBe(0);
    for (const text of [shown.written.out, shown.written.err]) {
      const fault = calmFault(text);
      if (fault !== undefined) throw new Error(`status printed ${fault}: ${JSON.stringify(text)}`);
    }
    if (shown.written.err !== "") tally.refused();
    // A signal afterwards is kept, whatever stood there; nothing crashes, and the document is whole.
    const { io, written } = command(places.signalStateFile, "");
    const code = await runSignal(["permission", "--session", "mine"], io);
    if (code === 0) expect(document().sessions.get("mine")).toMatchObject({ signal: "permission" });
    else expect([code, written.err]).toEqual([1, expect.stringMatching(/^agent-signal: \S/)]);
    expect(existsSync(places.signalStateFile)).toBe(true);
  },
);
