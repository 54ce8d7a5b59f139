import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { decodeClaudeRegistry } from "../../src/files/claude-registry";
import type { LiveEntry } from "../../src/session/live-entry";

const CONFIG = "/home/dev/.claude";

const CAPTURES = join(__dirname, "..", "captures");

/** Every change of a registry file that was recorded: the fields it had, and its name. */
function recorded(): [where: string, name: string, fields: Record<string, unknown>][] {
  return ["claude", "claude-control", "claude-peers"].flatMap((folder) =>
    readdirSync(join(CAPTURES, folder))
      .filter((name) => name.endsWith("status.jsonl"))
      .flatMap((name) =>
        readFileSync(join(CAPTURES, folder, name), "utf8")
          .trim()
          .split("\n")
          .map((line): [string, string, Record<string, unknown>] => {
            const { t, file, ...fields } = JSON.parse(line) as { t: number; file: string };
            return [`${folder}/${name} at ${t}`, file, fields];
          })
          .filter(([, , fields]) => !("removed" in fields)),
      ),
  );
}

function decode(fields: unknown, name = "4711.json") {
  return decodeClaudeRegistry(typeof fields === "string" ? fields : JSON.stringify(fields), name, CONFIG);
}

function entryOf(fields: unknown, name?: string): LiveEntry {
  const decoded = decode(fields, name);
  if (decoded.outcome === "refused") throw new Error(JSON.stringify(decoded.findings));
  return decoded.entry;
}

describe("what Claude Code 2.1.332 wrote", () => {
  const all = recorded();

  test("is there", () => {
    expect(all.length).toBeGreaterThan(150);
  });

  test.each(all)("%s is read whole, without a finding", (_where, name, fields) => {
    const decoded = decode(fields, name);
    expect(decoded).toMatchObject({ outcome: "entry", findings: [] });
    const entry = entryOf(fields, name);
    expect(entry).toMatchObject({
      agent: "claude",
      sessionId: fields.sessionId,
      pid: fields.pid,
      processStart: fields.procStart,
      cwd: fields.cwd,
      kind: "interactive",
      version: "2.1.332",
      configDirectory: CONFIG,
    });
    expect(entry.status).toBe(fields.status);
    expect(entry.waitingFor).toBe(fields.waitingFor);
    expect(entry.tmux).toBe(fields.tmux);
    expect(entry.isNamedByUser).toBe(fields.nameSource === "user");
    expect(entry.headless).toBe(fields.entrypoint === "sdk-cli" ? true : undefined);
    expect(entry.statusAt).toBe(typeof fields.statusUpdatedAt === "number" ? fields.statusUpdatedAt / 1000 : undefined);
  });

  test("holds every status there is, and entries before they have one", () => {
    const statuses = new Set(all.map(([, name, fields]) => entryOf(fields, name).status));
    expect(statuses).toEqual(new Set([undefined, "idle", "busy", "waiting", "shell"]));
  });
});

/** A background session's entry, as the same version wrote it. */
const BACKGROUND = {
  pid: 20733,
  sessionId: "0e8b3ca4-77b1-4273-a9b0-049d7b8ee250",
  cwd: "/home/dev/work",
  startedAt: 1796035128036,
  procStart: "1134431",
  version: "2.1.332",
  peerProtocol: 1,
  kind: "bg",
  entrypoint: "cli",
  pidDomain: "linux:3d1219c7c4c5404aaa1f6d2a48adfda4:pid:[4026531836]",
  asksForConvertedSkills: null,
  messagingSocketPath: "/tmp/cc-socks/20733.sock",
  name: "mock side answer",
  nameSince: 1796035128215,
  jobId: "0e8b3ca4",
  status: "idle",
  updatedAt: 1796035128215,
  statusUpdatedAt: 1796035128203,
  nameSource: "auto",
};

test("a background session's entry has its job, and the place where its number counts", () => {
  expect(entryOf(BACKGROUND, "20733.json")).toEqual({
    agent: "claude",
    sessionId: "0e8b3ca4-77b1-4273-a9b0-049d7b8ee250",
    pid: 20733,
    processStart: "1134431",
    processDomain: "linux:3d1219c7c4c5404aaa1f6d2a48adfda4:pid:[4026531836]",
    status: "idle",
    statusAt: 1796035128.203,
    updatedAt: 1796035128.215,
    startedAt: 1796035128.036,
    cwd: "/home/dev/work",
    name: "mock side answer",
    isNamedByUser: false,
    kind: "background",
    jobId: "0e8b3ca4",
    version: "2.1.332",
    entrypoint: "cli",
    configDirectory: CONFIG,
  });
});

describe("an entry of a version we do not know", () => {
  test("needs nothing but the session's id; the number is the file's name", () => {
    expect(decode({ sessionId: "s" })).toEqual({
      outcome: "entry",
      entry: { agent: "claude", sessionId: "s", pid: 4711, configDirectory: CONFIG },
      findings: [],
    });
  });

  test.each<[string, unknown, Partial<LiveEntry>]>([
    ["status", "pondering", { status: undefined }],
    ["status", "", { status: undefined }],
    ["kind", "daemon-worker", { kind: undefined }],
    ["kind", "background", { kind: "background" }],
    ["version", "99.0.0-beta", { version: "99.0.0-beta" }],
    ["waitingFor", "sandbox request", { waitingFor: "sandbox request" }],
    ["entrypoint", "sdk-py", { entrypoint: "sdk-py", headless: true }],
    ["entrypoint", "claude-desktop", { entrypoint: "claude-desktop", headless: undefined }],
    ["procStartFt", "134098765432109876", { processStart: "134098765432109876" }],
    ["name", null, { name: undefined }],
    ["ghost", { a: [1] }, {}],
    ["__proto__", { pid: 1 }, {}],
  ])("%s %j is no finding", (field, value, expected) => {
    const decoded = decode(`{"sessionId":"s",${JSON.stringify(field)}:${JSON.stringify(value)}}`);
    expect(decoded).toMatchObject({ outcome: "entry", findings: [] });
    expect(entryOf({ sessionId: "s", [field]: value })).toEqual({
      agent: "claude",
      sessionId: "s",
      pid: 4711,
      configDirectory: CONFIG,
      ...expected,
    });
  });
});

describe("a field of the wrong type", () => {
  test.each<[keyof typeof BACKGROUND, unknown, keyof LiveEntry]>([
    ["procStart", 1134431, "processStart"],
    ["pidDomain", {}, "processDomain"],
    ["status", 3, "status"],
    ["statusUpdatedAt", "soon", "statusAt"],
    ["updatedAt", true, "updatedAt"],
    ["startedAt", 8.64e18, "startedAt"],
    ["cwd", ["/home"], "cwd"],
    ["cwd", "/home\0/dev", "cwd"],
    ["name", 7, "name"],
    ["nameSource", 7, "isNamedByUser"],
    ["kind", 0, "kind"],
    ["jobId", {}, "jobId"],
    ["version", 2, "version"],
    ["entrypoint", [], "entrypoint"],
  ])("%s %j costs that field, which is named", (field, value, lost) => {
    const decoded = decode({ ...BACKGROUND, [field]: value }, "20733.json");
    expect(decoded).toMatchObject({ outcome: "entry", findings: [{ field, outcome: "repaired" }] });
    // A name that is gone takes with it who gave it.
    const rest: Partial<LiveEntry> = entryOf(BACKGROUND, "20733.json");
    delete rest[lost];
    if (lost === "name") delete rest.isNamedByUser;
    expect(entryOf({ ...BACKGROUND, [field]: value }, "20733.json")).toEqual(rest);
  });

  test.each([0, -1, 1.5, 2 ** 31, "20733"])("a pid of %j is left out: the file's name has it", (pid) => {
    expect(entryOf({ ...BACKGROUND, pid }, "20733.json").pid).toBe(20733);
  });

  test("a pid that is not that of the file's name proves neither", () => {
    const decoded = decode({ sessionId: "s", pid: 5 }, "6.json");
    expect(decoded).toMatchObject({ outcome: "entry", findings: [{ field: "pid", outcome: "repaired" }] });
    expect(entryOf({ sessionId: "s", pid: 5 }, "6.json").pid).toBeUndefined();
  });

  test("texts are cut to what can be shown", () => {
    const entry = entryOf({ sessionId: "s", name: "n".repeat(500), waitingFor: "w".repeat(500) });
    expect(entry.name).toHaveLength(200);
    expect(entry.waitingFor).toHaveLength(200);
  });
});

describe("what is refused", () => {
  test.each<[string, string, string | undefined]>([
    ["nothing", "", undefined],
    ["half a file", '{"sessionId":"s","pi', undefined],
    ["a list", "[]", undefined],
    ["a text", '"s"', undefined],
    ["null", "null", undefined],
    ["no id", "{}", "sessionId"],
    ["an id that is a number", '{"sessionId":5}', "sessionId"],
    ["an empty id", '{"sessionId":""}', "sessionId"],
    ["an id that leads elsewhere", '{"sessionId":"../../x"}', "sessionId"],
    ["an id that leads elsewhere on Windows", '{"sessionId":"a\\\\b"}', "sessionId"],
    ["a hidden id", '{"sessionId":".x"}', "sessionId"],
    ["half a character", '{"sessionId":"\\ud800"}', "sessionId"],
    ["an endless id", JSON.stringify({ sessionId: "x".repeat(129) }), "sessionId"],
  ])("%s, with the reason", (_what, text, field) => {
    const decoded = decode(text);
    expect(decoded.outcome).toBe("refused");
    expect(decoded.findings).toHaveLength(1);
    expect(decoded.findings[0]?.field).toBe(field);
    expect(decoded.findings[0]?.reason).toMatch(/^(is|contains|begins) \S/);
  });
});

describe("whatever stands in a file", () => {
  const field = fc.constantFrom(...Object.keys(BACKGROUND), "procStartFt", "constructor", "toString");
  const garbled = fc
    .array(fc.tuple(field, fc.jsonValue()))
    .map((changes) => JSON.stringify({ ...BACKGROUND, ...Object.fromEntries(changes) }));

  test("it is an entry or refused with a reason; and what an entry holds has the right types", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), garbled), fc.string(), (text, name) => {
        const decoded = decodeClaudeRegistry(text, name, CONFIG);
        if (decoded.outcome === "refused") return decoded.findings.every(({ reason }) => reason !== "");
        const { entry } = decoded;
        const texts = [entry.processStart, entry.waitingFor, entry.cwd, entry.name, entry.jobId, entry.version];
        const times = [entry.statusAt, entry.updatedAt, entry.startedAt];
        return (
          entry.sessionId !== "" &&
          (entry.pid === undefined || (Number.isInteger(entry.pid) && entry.pid > 0)) &&
          texts.every((each) => each === undefined || (typeof each === "string" && each.isWellFormed())) &&
          times.every((each) => each === undefined || Number.isFinite(each))
        );
      }),
      { numRuns: 500 },
    );
  });
});
