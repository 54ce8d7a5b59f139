import fc from "fast-check";
import { readRequest } from "../../assets/claude-plugin/core/request";
import { idNamed } from "../../src/control/control-folder";
import { decodeClaudeAgents } from "../../src/files/claude-agents-json";
import { decodeClaudeRegistry } from "../../src/files/claude-registry";
import { decodeOutcome, encodeOutcome } from "../../src/files/control-outcome";
import { decodeRequest, encodeRequest } from "../../src/files/control-request";
import { decodeSent, encodeSent } from "../../src/files/control-sent";
import { decodeStopAnswer, encodeStopAnswer } from "../../src/files/control-stop-answer";
import { parseCutObject } from "../../src/files/cut-json";
import {
  decodeEventLine,
  decodeIgnoredLine,
  decodeRejected,
  encodeEventLine,
  eventLogName,
  sessionOfLog,
} from "../../src/files/event-log";
import { decodeInboxEntry } from "../../src/files/inbox-entry";
import { decodeInstalledNote, decodePluginManifest, encodeInstalledNote } from "../../src/files/installed-note";
import { decodeLastList, encodeLastList } from "../../src/files/last-list";
import { decodePausedFlag, encodePausedFlag } from "../../src/files/paused-flag";
import { decodePluginMark } from "../../src/files/plugin-mark";
import { decodeReadMarks, encodeReadMarks } from "../../src/files/read-marks";
import { decodeSessionFile } from "../../src/files/session-file";
import { sessionFileName } from "../../src/files/session-name";
import { decodeSettingsMemories, encodeSettingsMemories } from "../../src/files/settings-memory";
import { decodeSignalDocument } from "../../src/files/signal-document";
import { decodeStatusFile } from "../../src/files/status-file";
import { secondsOfIso } from "../../src/files/timestamp";
import { describeProblem, type Finding } from "../../src/files/problem";
import { agentNamed } from "../../src/session/identity";
import type { ControlRequest, RequestOutcome } from "../../src/session/request";
import type { Session } from "../../src/session/session";
import { fuzz, type Tally } from "./fuzz";
import { brokenTextsIn, jsonIn, literalsIn, memberOf, standsIn } from "./literal";
import { mutatedFiles } from "./mutation";
import { payloadsWith } from "./payloads";
import {
  eventLineSamples,
  inboxSamples,
  NOW,
  registrySamples,
  sessionSamples,
  signalSamples,
  statusSamples,
} from "./samples";

const RUNS = 80;

/** What is refused says what is wrong with what, for a person. */
function expectReasons(findings: readonly Finding[]): void {
  for (const finding of findings) {
    expect(finding.reason.trim()).not.toBe("");
    expect(finding.reason.length).toBeLessThan(1_000);
    expect(describeProblem({ file: "/f", ...finding })).toContain(finding.reason);
  }
}

/** Nothing is made up: each text and number of what was decoded stands in the file, but for those that are ours. */
function expectLiteral(decoded: unknown, source: unknown, ours: readonly (string | number)[] = []): void {
  const given = literalsIn(source);
  const known = new Set<string | number>(ours);
  const { texts, numbers } = literalsIn(decoded);
  const invented = [
    ...Array.from(texts).filter((text) => !known.has(text) && !standsIn(text, given.texts)),
    ...Array.from(numbers).filter((number) => !known.has(number) && !given.numbers.has(number)),
  ];
  expect(invented).toEqual([]);
  expect(Array.from(numbers).filter((number) => !Number.isFinite(number))).toEqual([]);
}

describe("a status file", () => {
  const samples = statusSamples();
  const names = new Map(samples.map(({ name, text }) => [name, text]));

  /** Each field of a report, and the field of the file that says it. */
  const FIELDS: Readonly<Record<string, string>> = {
    state: "state",
    since: "ts",
    eventAt: "event_ts",
    event: "event",
    tool: "tool",
    activity: "activity",
    message: "message",
    cwd: "cwd",
    permissionMode: "permission_mode",
    turnStartedAt: "turn_started_at",
    doneAt: "done_at",
    wakeupAt: "wakeup_at",
    subagents: "subagents",
    waitingFor: "waiting_for",
    title: "title",
    userPromptAt: "user_prompt_at",
    writer: "writer",
  };
  /** Those that are taken over as a whole, entry by entry. */
  const MAPS = ["background", "monitors", "terminal"];

  fuzz("status file", RUNS, mutatedFiles(Array.from(names.values())), (bytes, tally) => {
    const text = bytes.toString("utf8");
    const source = jsonIn(text);
    const id = memberOf(source, "session_id");
    const decoded = decodeStatusFile(text, typeof id === "string" ? `${id}.json` : "4f2e.json");
    expectReasons(decoded.findings);
    if (decoded.outcome === "refused") {
      expect(decoded.findings.length).toBeGreaterThan(0);
      return tally.refused();
    }
    const { report, findings } = decoded;
    if (findings.length > 0) tally.refused();
    expect(brokenTextsIn(report)).toEqual([]);
    expect(report.sessionId).toBe(id);
    const agent = memberOf(source, "agent");
    const isName = typeof agent === "string" && /^[a-z0-9._-]+$/.test(agent);
    expect(report.agent).toBe(isName ? agentNamed(agent).agent : "claude");
    const values = new Map(Object.entries(report));
    const named = (field: string) => findings.some((each) => each.field?.split(".")[0] === field);
    for (const [name, field] of Object.entries(FIELDS)) {
      const said = values.get(name);
      const given = memberOf(source, field);
      // What the file says is either shown, or named as left out.
      if (said === undefined) expect([field, given === undefined || named(field)]).toEqual([field, true]);
      else if (typeof said === "string" && said !== given) {
        expect([
          field,
          standsIn(said, new Set([String(given)])),
          named(field) || !String(given).isWellFormed(),
        ]).toEqual([field, true, true]);
      } else expect([field, said]).toEqual([field, given]);
    }
    for (const name of MAPS) {
      if (values.get(name) === undefined) {
        expect([name, memberOf(source, name) === undefined || named(name)]).toEqual([name, true]);
      } else
        expectLiteral(values.get(name), memberOf(source, name), [
          "at",
          "text",
          "command",
          "exitCode",
          "failedAt",
          "status",
          "",
        ]);
    }
    const pid = memberOf(source, "pid");
    if (report.process !== undefined) expect(report.process.pid).toBe(pid);
    else expect(pid === undefined || named("pid")).toBe(true);
  });

  fuzz("status file, another's name", 60, mutatedFiles(Array.from(names.values())), (bytes, tally) => {
    const decoded = decodeStatusFile(bytes.toString("utf8"), "not-its-name.json");
    expect(decoded.outcome).toBe("refused");
    expectReasons(decoded.findings);
    tally.refused();
  });
});

describe("Agent Signal's document", () => {
  fuzz("signal document", RUNS, mutatedFiles(signalSamples()), (bytes, tally) => {
    const text = bytes.toString("utf8");
    const source = jsonIn(text);
    const decoded = decodeSignalDocument(text);
    if (decoded.outcome === "stale") {
      expect(decoded.reason.trim()).not.toBe("");
      return tally.refused();
    }
    const { document } = decoded;
    const sessions = memberOf(source, "sessions") ?? {};
    expect(Array.from(document.sessions.keys())).toEqual(Object.keys(sessions));
    for (const [id, session] of document.sessions) {
      const record = memberOf(sessions, id);
      expect(session.signal).toBe(memberOf(record, "signal"));
      expect(session.agent).toBe(memberOf(record, "agent") ?? undefined);
      expect(session.lastEvent).toBe(memberOf(record, "last_event") ?? undefined);
      expectMoment(session.updatedAt, memberOf(record, "updated_at"));
    }
    const events = memberOf(source, "events") ?? [];
    expect(document.events.length).toBe(Array.isArray(events) ? events.length : -1);
    for (const [index, event] of document.events.entries()) {
      const record: unknown = Array.isArray(events) ? events[index] : undefined;
      expect([event.id, event.sessionId, event.signal]).toEqual([
        memberOf(record, "id"),
        memberOf(record, "session_id"),
        memberOf(record, "signal"),
      ]);
      expectMoment(event.updatedAt, memberOf(record, "updated_at"));
    }
    expect(document.aggregate).toBe(memberOf(source, "aggregate") ?? undefined);
  });
});

/** A moment as the file says it: a number of seconds, or a date that this number is. */
function expectMoment(said: number, given: unknown): void {
  expect(said).toBe(typeof given === "string" ? secondsOfIso(given) : given);
  expect(new Date(said * 1000).getTime()).not.toBeNaN();
}

describe("the registry of Claude Code", () => {
  const samples = registrySamples();

  const MILLISECONDS = { statusAt: "statusUpdatedAt", updatedAt: "updatedAt", startedAt: "startedAt" } as const;
  const TEXTS = {
    waitingFor: "waitingFor",
    cwd: "cwd",
    name: "name",
    jobId: "jobId",
    version: "version",
    entrypoint: "entrypoint",
    tmux: "tmux",
    processDomain: "pidDomain",
  } as const;

  function expectEntry(entry: object, source: unknown, findings: readonly Finding[]): void {
    const values = new Map<string, unknown>(Object.entries(entry));
    expect(brokenTextsIn(entry)).toEqual([]);
    expect(values.get("sessionId")).toBe(memberOf(source, "sessionId"));
    for (const [name, field] of Object.entries(MILLISECONDS)) {
      const said = values.get(name);
      if (said !== undefined) expect([name, said]).toEqual([name, Number(memberOf(source, field)) / 1000]);
    }
    for (const [name, field] of Object.entries(TEXTS)) {
      const said = values.get(name);
      if (typeof said === "string")
        expect([name, standsIn(said, new Set([String(memberOf(source, field))]))]).toEqual([name, true]);
    }
    const status = memberOf(source, "status");
    if (values.get("status") !== undefined && memberOf(source, "state") === undefined)
      expect(values.get("status")).toBe(status);
    // A wrong type costs the field, and is named.
    for (const field of ["pid", "status", "startedAt", "cwd"]) {
      const given = memberOf(source, field);
      const isWrong = typeof given === "object" && given !== null;
      if (isWrong) expect([field, findings.some((each) => each.field?.endsWith(field))]).toEqual([field, true]);
    }
  }

  const files = fc
    .constantFrom(...samples)
    .chain(({ name, text }) => fc.tuple(fc.constant(name), mutatedFiles([text])));

  fuzz("registry file (Claude Code)", RUNS, files, ([name, bytes], tally) => {
    const text = bytes.toString("utf8");
    const decoded = decodeClaudeRegistry(text, name, "/home/dev/.claude");
    expectReasons(decoded.findings);
    if (decoded.outcome === "refused") {
      expect(decoded.findings.length).toBeGreaterThan(0);
      return tally.refused();
    }
    if (decoded.findings.length > 0) tally.refused();
    const source = jsonIn(text);
    expectEntry(decoded.entry, source, decoded.findings);
    // The name is a proof of the process only where the file does not contradict it.
    const named = Number(name.replace(".json", ""));
    if (decoded.entry.pid !== undefined) expect(decoded.entry.pid).toBe(named);
    else expect(memberOf(source, "pid")).not.toBe(named);
  });

  const lists = [
    `[${samples
      .map(({ text }) => text)
      .slice(0, 4)
      .join(",")}]`,
    `Update available\n[${samples[0]?.text ?? ""}]\nbye`,
  ];

  fuzz("output of claude agents --json", RUNS / 2, mutatedFiles(lists), (bytes, tally) => {
    const decoded = decodeClaudeAgents(bytes.toString("utf8"), "/home/dev/.claude");
    if (decoded.outcome === "refused") {
      expect(decoded.reason.trim()).not.toBe("");
      return tally.refused();
    }
    expectReasons(decoded.findings);
    if (decoded.findings.length > 0) tally.refused();
    expect(brokenTextsIn(decoded.entries)).toEqual([]);
    // Whatever stands between two quotes.
    const between = bytes.toString("utf8").matchAll(/(?=("(?:[^"\\]|\\.)*"))/g);
    const quoted = Array.from(between, ([, text = ""]) => jsonIn(text));
    for (const { sessionId } of decoded.entries) expect(quoted).toContain(sessionId);
  });
});

describe("what a recorder leaves", () => {
  const samples = ["claude", "codex", "gemini", "opencode"].flatMap((agent) => inboxSamples(agent, 12));

  fuzz("inbox entry", RUNS, mutatedFiles(samples.map((each) => each.toString("utf8"))), (bytes, tally) => {
    const text = bytes.toString("utf8");
    const decoded = decodeInboxEntry(text);
    if (decoded.outcome === "refused") {
      expect(decoded.reason.trim()).not.toBe("");
      expect(decoded.reason.length).toBeLessThan(600);
      return tally.refused();
    }
    const { agent, event, parent, env, payload } = decoded.entry;
    const head = text.slice(0, text.length - payload.length);
    expect(text.endsWith(payload)).toBe(true);
    expect(head.endsWith("\n\n")).toBe(true);
    const lines = head.split("\n");
    expect(lines).toContain(`agent=${agent}`);
    if (event !== undefined) expect(lines).toContain(`event=${event}`);
    if (parent !== undefined) expect(lines).toContain(`ppid=${parent}`);
    for (const [name, value] of Object.entries(env)) expect(lines).toContain(`${name}=${value}`);
  });

  fuzz(
    "payload that was cut",
    RUNS,
    mutatedFiles(samples.map((each) => each.toString("utf8").split("\n\n").slice(1).join("\n\n"))),
    (bytes, tally) => {
      const text = bytes.toString("utf8");
      for (const cut of [text, text.slice(0, Math.floor(text.length * 0.7))]) {
        const kept = parseCutObject(cut);
        if (kept === undefined) {
          tally.refused();
          continue;
        }
        // Only what stands before the cut, as it stands there.
        for (const each of literalsIn(kept).texts) {
          if (/^[\w ./-]+$/.test(each)) expect(cut).toContain(each);
        }
      }
    },
  );
});

describe("files of our own", () => {
  const sessions = sessionSamples();

  fuzz("session file", RUNS, mutatedFiles(sessions.map(({ text }) => text)), (bytes, tally) => {
    const text = bytes.toString("utf8");
    const decoded = decodeSessionFile(text);
    if (decoded.outcome === "refused") {
      expect(decoded.findings.length).toBeGreaterThan(0);
      expectReasons(decoded.findings);
      return tally.refused();
    }
    const source = jsonIn(text);
    const record = memberOf(source, "record");
    expectLiteral(decoded.file.record, record);
    for (const key of ["agent", "sessionId", "state", "since"])
      expect(memberOf(decoded.file.record, key)).toEqual(memberOf(record, key));
  });

  const marks = encodeReadMarks({
    baseline: NOW - 9_000,
    sessions: { "claude:a": { readUntil: NOW }, "codex:b": { keptUnread: NOW - 5 }, "gemini:ü": {} },
  });

  fuzz("read marks", RUNS, mutatedFiles([marks]), (bytes, tally) => {
    const text = bytes.toString("utf8");
    const decoded = decodeReadMarks(text);
    if (decoded.outcome === "damaged") {
      expect(decoded.reason.trim()).not.toBe("");
      return tally.refused();
    }
    const source = jsonIn(text);
    expect(decoded.marks.baseline).toBe(memberOf(source, "baseline"));
    expectLiteral(decoded.marks.sessions, memberOf(source, "sessions"), ["readUntil", "keptUnread"]);
  });

  fuzz("paused flag", RUNS / 4, mutatedFiles([encodePausedFlag(NOW)]), (bytes, tally) => {
    const text = bytes.toString("utf8");
    const decoded = decodePausedFlag(text);
    if (decoded.outcome === "damaged") {
      expect(decoded.reason.trim()).not.toBe("");
      return tally.refused();
    }
    expect(decoded.since).toBe(memberOf(jsonIn(text), "paused_at"));
  });

  const lines = eventLineSamples().map((line) => encodeEventLine(line));
  const ignored = encodeEventLine({ at: NOW, agent: "claude", event: "PreToolUse", from: "hook" });

  fuzz("event log", RUNS, mutatedFiles([...lines, ignored]), (bytes, tally) => {
    const value = jsonIn(bytes.toString("utf8"));
    const line = decodeEventLine(value);
    if (line !== undefined) expectLiteral(line, value);
    const other = decodeIgnoredLine(value);
    if (other !== undefined) expectLiteral(other, value);
    if (line === undefined && other === undefined) tally.refused();
  });

  fuzz(
    "rejected entry",
    RUNS / 2,
    mutatedFiles(
      inboxSamples("claude", 6).map((each) => `The payload is not JSON.\n\n${each.toString("utf8").slice(0, 4096)}`),
    ),
    (bytes, tally) => {
      const decoded = decodeRejected("1796010364910-claude-1-0.txt", bytes.toString("utf8"));
      expect(decoded?.at).toBe(1_796_010_364.91);
      expect(decoded?.reason.trim()).not.toBe("");
      expect(brokenTextsIn(decoded)).toEqual([]);
      tally.refused();
    },
  );

  const memories = encodeSettingsMemories({
    "/home/dev/.claude/settings.json": {
      created: [["hooks"], []],
      folders: ["/home/dev/.claude"],
      digest: "0".repeat(64),
      undo: [{ offset: 4, length: 12, text: "" }],
    },
  });
  const note = encodeInstalledNote({ files: { "hooks/hooks.json": "0".repeat(64) }, made: 2 });

  fuzz(
    "notes of a set-up",
    RUNS / 2,
    mutatedFiles([memories, note, '{"name":"agent-sessions","version":"1.2.3"}']),
    (bytes, tally) => {
      const text = bytes.toString("utf8");
      const source = jsonIn(text);
      const decoded = [decodeSettingsMemories(text), decodeInstalledNote(text), decodePluginManifest(text)];
      for (const each of decoded) if (each !== undefined) expectLiteral(each, source);
      if (decoded.every((each) => each === undefined)) tally.refused();
    },
  );
});

describe("what a list showed last", () => {
  const sessions = statusSamples()
    .slice(0, 30)
    .map(({ name }, index): Session => ({
      agent: "claude",
      sessionId: `${index}-${name}`,
      id: `claude:${index}-${name}`,
      state: index % 2 === 0 ? "waiting" : "idle",
      since: NOW - index,
      unread: index % 3 === 0,
      needsYou: index % 2 === 0,
      title: `Title ${index}`,
      subagents: index % 4,
      background: { b: { command: "npm test", at: NOW } },
      sources: ["events"],
      evidence: [],
    }));
  const kept = encodeLastList({ at: NOW, sessions: sessions.slice(0, 4) }, "of these");

  test("it is read while nobody changed it", () => {
    expect(decodeLastList(kept, "of these")?.sessions).toHaveLength(4);
    expect(decodeLastList(kept.replace("Title 1", "\\ud800"), "of these")).toBeUndefined();
  });

  fuzz("what a list showed last", RUNS, mutatedFiles([kept]), (bytes, tally) => {
    const text = bytes.toString("utf8");
    const decoded = decodeLastList(text, "of these");
    if (decoded === undefined) return tally.refused();
    const source = jsonIn(text);
    expect(decoded.at).toBe(memberOf(source, "at"));
    const ours = ["id", "needsYou", "sources", "evidence", "sessions", "counts", "agents"];
    expectLiteral(decoded, source, [...ours, ...decoded.sessions.map(({ id }) => id)]);
    for (const session of decoded.sessions) {
      expect(session.id).toBe(`${session.agent}:${session.sessionId}`);
      expect(new Date(session.since * 1000).getTime()).not.toBeNaN();
    }
    // A launcher's window is made of it: half a character would end that.
    expect(brokenTextsIn(decoded)).toEqual([]);
  });
});

describe("the name of a session's file", () => {
  const ids = fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 60 }),
    fc.string({ minLength: 1, maxLength: 20 }),
    fc.constantFrom(...payloadsWith("/tmp/c").map(([, text]) => text)),
    fc.constantFrom(
      "con",
      "Nul",
      "aux.json",
      "COM1",
      "lpt9.x",
      "console",
      "com",
      ".",
      "..",
      ".a",
      "a.",
      "a ",
      "%41",
      "A",
      "a",
    ),
  );

  fuzz("names of files", RUNS * 4, fc.tuple(ids, ids), ([one, other], tally) => {
    const name = sessionFileName(one);
    if (name === undefined) {
      // Only what is no text, or too long: each letter becomes nine at most.
      expect(one === "" || !one.isWellFormed() || Buffer.byteLength(one) * 3 > 180).toBe(true);
      return tally.refused();
    }
    expect(name).toMatch(/^[A-Za-z0-9%_-][A-Za-z0-9._%-]*\.json$/);
    expect(name.length).toBeLessThanOrEqual(185);
    expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)\./i);
    // It leads back to its session, and no other session has it.
    expect(decodeURIComponent(name.slice(0, -".json".length))).toBe(one);
    expect(idNamed(name.slice(0, -".json".length))).toBe(one);
    expect(sessionOfLog(eventLogName(one) ?? "")).toBe(one);
    if (one !== other) expect(sessionFileName(other)).not.toBe(name);
  });

  fuzz("names of agents", RUNS, ids, (text) => {
    const { agent, surface } = agentNamed(text);
    // It becomes a folder's name: letters, and never the folder above.
    expect(agent).toMatch(/^[a-z0-9._-]{1,32}$/);
    expect(agent).not.toMatch(/^[.-]*$/);
    expect(surface ?? "x").toMatch(/^[a-z0-9._-]{1,32}$/);
  });
});

describe("requests and what becomes of them", () => {
  const request: ControlRequest = {
    id: "r-1",
    kind: "prompt",
    text: "go\non",
    author: "command",
    at: NOW,
    expiresAt: NOW + 600,
  };
  const outcome: RequestOutcome = {
    id: "r-1",
    kind: "save-restart",
    by: "plugin",
    steps: [
      { outcome: "saving", at: NOW },
      { outcome: "saved", at: NOW + 2, proof: { file: "/m.md", lines: 3 } },
      { outcome: "refused", at: NOW + 3, reason: "the user typed" },
    ],
  };

  fuzz(
    "control request",
    RUNS,
    mutatedFiles([encodeRequest(request), encodeRequest({ ...request, kind: "save", text: undefined })]),
    (bytes, tally) => {
      const text = bytes.toString("utf8");
      const decoded = decodeRequest(text);
      if (decoded.outcome === "refused") {
        expect(decoded.reason.trim()).not.toBe("");
        return tally.refused();
      }
      expectLiteral(decoded.request, jsonIn(text), ["expiresAt"]);
      // It becomes a file's name, and keys.
      expect(decoded.request.id).toMatch(/^[A-Za-z0-9-]{1,64}$/);
      // eslint-disable-next-line no-control-regex
      expect(decoded.request.text ?? "").not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
    },
  );

  fuzz(
    "control request, as the plugin reads it",
    RUNS,
    mutatedFiles([encodeRequest(request), encodeRequest({ ...request, kind: "save", text: undefined })]),
    (bytes, tally) => {
      const text = bytes.toString("utf8");
      const read = readRequest(text, "r-1", NOW + 1);
      if (read.outcome === "refused") expect(read.reason.trim()).not.toBe("");
      if (read.outcome !== "request") return tally.refused();
      // What the plugin carries out is a request to us as well, and the same one.
      const ours = decodeRequest(text);
      // It has no calendar: to it a moment is any number.
      if (ours.outcome === "refused") expect(ours.reason).toMatch(/^(?:at|expiresAt): is not a time/);
      else expect(ours.request).toEqual(read.request);
    },
  );

  fuzz("control outcome", RUNS, mutatedFiles([encodeOutcome(outcome)]), (bytes, tally) => {
    const text = bytes.toString("utf8");
    const decoded = decodeOutcome(text);
    if (decoded.outcome === "refused") {
      expect(decoded.reason.trim()).not.toBe("");
      return tally.refused();
    }
    expect(decoded.request.steps.length).toBeGreaterThan(0);
    expectLiteral(decoded.request, jsonIn(text));
  });

  const sent = encodeSent({ request, way: "terminal", files: [{ file: "/m.md", digests: ["0123456789"] }] });

  fuzz("note of what was sent", RUNS / 2, mutatedFiles([sent]), (bytes, tally) => {
    const text = bytes.toString("utf8");
    const decoded = decodeSent(text);
    if (decoded.outcome === "sent") return expectLiteral(decoded.sent, jsonIn(text));
    expect(decoded.reason.trim()).not.toBe("");
    tally.refused();
  });

  fuzz(
    "stop answer",
    RUNS / 2,
    mutatedFiles([encodeStopAnswer({ expiresAt: NOW, reason: "Go on." })]),
    (bytes, tally) => {
      const text = bytes.toString("utf8");
      const decoded = decodeStopAnswer(text);
      if (decoded === undefined) return tally.refused();
      expect(text).toBe(`${text.slice(0, text.indexOf("\n"))}\n${decoded.printed}`);
      expect(String(decoded.expiresAt)).toBe(String(Number(text.slice(0, text.indexOf("\n")))));
    },
  );

  const mark = `{"version":1,"at":${NOW},"pickup":"Weiter mit dem Laden","file":"/home/dev/m.md","language":"de","pid":4242}\n`;

  fuzz("plugin mark", RUNS / 2, mutatedFiles([mark]), (bytes, tally: Tally) => {
    const text = bytes.toString("utf8");
    const decoded = decodePluginMark(text);
    if (decoded.outcome === "mark") return expectLiteral(decoded.mark, jsonIn(text));
    expect(decoded.reason.trim()).not.toBe("");
    tally.refused();
  });
});
