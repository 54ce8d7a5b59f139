import stringWidth from "string-width";
import { run } from "../../src/cli/run";
import { wideSummary, wideTable } from "../../src/cli/wide-table";
import type { Session } from "../../src/session/session";
import { cliIo } from "../cli-io";
import { answerLine, MachineState, NOW, userLine } from "../observe/machine-state";

/** A machine with a session of each temperature, in two configuration folders. */
function machine(): MachineState {
  const state = new MachineState({ labels: ["work"] });
  const answer = (id: string, ago: number, tokens: number) =>
    state.transcript([userLine(NOW - ago - 9, `Topic of ${id}`), answerLine(NOW - ago, { input_tokens: tokens })], id);
  const entry = (pid: number, sessionId: string, fields: Record<string, unknown>) => {
    state.processes.tell(pid, "running");
    state.registry({ pid, sessionId, cwd: "/w/shop", statusAt: NOW - 30, startedAt: NOW - 9000, ...fields });
  };
  entry(11, "warm", { status: "idle", name: "shop-main", version: "2.1.332" });
  answer("warm", 18 * 60, 45_210);
  entry(12, "cold", { status: "idle", name: "shop-old", version: "2.1.300" });
  answer("cold", 3 * 3600, 1_249_000);
  entry(13, "busy", { status: "busy", name: "shop-busy", version: "2.1.332" });
  answer("busy", 2 * 3600, 950);
  entry(14, "soon", { status: "idle", name: "shop-soon" });
  answer("soon", 50 * 60, 30_000);
  entry(15, "labelled", { status: "idle", name: "api", label: "work" });
  state.status("plain", { state: "idle", ts: NOW - 60, agent: "gemini", cwd: "/w/plain" });
  state.status("ended", { state: "dormant", ts: NOW - 60, cwd: "/w/ended", title: "Long over" });
  return state;
}

async function cli(
  state: MachineState,
  argv: string[],
  given: { columns?: number; environment?: Record<string, string> } = {},
) {
  const io = cliIo(state.places, {
    clock: () => NOW * 1000,
    processes: state.processes,
    ...given,
    environment: {
      ...state.environment,
      AGENT_SESSIONS_CLAUDE_DIRS: `work=${state.configOf("work")}`,
      ...given.environment,
    },
  });
  const code = await run(argv, io);
  return { code, out: io.out(), err: io.err() };
}

/** The cells of a row's line, as two spaces or more part them. */
const cellsIn = (line: string | undefined) => line?.split(/ {2,}/).map((cell) => cell.trim());

describe("the columns", () => {
  test("name, topic, context, version, cache, plugin and request under their headings; what is unknown is a dash", async () => {
    const { code, out, err } = await cli(machine(), ["list", "--wide", "--sort", "cold"]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const [headings, ...lines] = out.trimEnd().split("\n");
    expect(cellsIn(headings)).toEqual(
      ["", "NAME", "TOPIC", "CONTEXT", "VERSION", "CACHE", "PAUSE", "REQUEST"].filter(
        (each, index) => index > 0 || each === "",
      ),
    );
    expect(lines.slice(0, -2).map(cellsIn)).toEqual([
      ["·", "shop-soon", "Topic of soon", "30k", "–", "warm, 10m left", "–"],
      ["·", "shop-main", "Topic of warm", "45k", "2.1.332", "warm, 42m left", "–"],
      ["▶", "shop-busy", "Topic of busy", "950", "2.1.332", "works", "–"],
      ["·", "shop-old", "Topic of cold", "1.2M", "2.1.300", "cold for 3h", "–"],
      ["·", "api [work]", "api", "–", "–", "unknown", "–"],
      ["·", "plain", "plain", "–", "–", "unknown", "–"],
      ["-", "ended", "Long over", "–", "–", "–", "–"],
    ]);
    expect(lines.slice(-2)).toEqual(["", expect.stringMatching(/^6 sessions, 3 warm, the next goes cold in \d+m$/)]);
  });

  test("columns stand under their headings in every line", async () => {
    const { out } = await cli(machine(), ["list", "--wide"]);
    const [headings = "", ...lines] = out.trimEnd().split("\n").slice(0, -2);
    const at = headings.indexOf("CONTEXT");
    for (const line of lines) {
      expect(line.slice(at - 2, at)).toBe("  ");
      expect(line.charAt(at)).not.toBe(" ");
    }
  });

  const bare = (fields: Partial<Session>): Session => ({
    id: "claude:s1",
    agent: "claude",
    sessionId: "0123456789abcdef",
    state: "idle",
    since: NOW - 60,
    unread: false,
    needsYou: false,
    title: "Topic",
    subagents: 0,
    sources: [],
    evidence: [],
    ...fields,
  });
  const cells = (session: Session) => cellsIn(wideTable([session], NOW, { color: false }).split("\n")[1]);

  test.each<[what: string, fields: Partial<Session>, name: string]>([
    ["the registry's name", { live: { name: "main" }, project: "shop" }, "main"],
    ["else the folder", { project: "shop" }, "shop"],
    ["else the beginning of its id", {}, "01234567"],
    ["with its configuration folder's label", { project: "shop", configLabel: "work" }, "shop [work]"],
  ])("a session is called by %s", (_what, fields, name) => {
    expect(cells(bare(fields))?.[1]).toBe(name);
  });

  test("with the plugin it can be asked to pause; a request shows how far it came", () => {
    const request = { id: "r1", kind: "save" as const, steps: [{ outcome: "saving" as const, at: NOW }] };
    expect(cells(bare({ plugin: {}, request }))?.slice(-2)).toEqual(["restart", "saving …"]);
    const refused = { ...request, steps: [{ outcome: "refused" as const, at: NOW, reason: "it waits\nat a dialog" }] };
    expect(cells(bare({ plugin: {}, request: refused }))?.slice(-2)).toEqual([
      "restart",
      "refused: it waits at a dialog",
    ]);
  });

  test("an ended session has no cache to lose", () => {
    const context = { tokens: 5000, lastAnswerAt: NOW - 60 };
    expect(cells(bare({ state: "dormant", context }))?.slice(3, 6)).toEqual(["5k", "–", "–"]);
    expect(cells(bare({ state: "idle", context }))?.slice(3, 6)).toEqual(["5k", "–", "warm, 59m left"]);
  });

  test("nothing in it can steer the terminal", () => {
    const evil = "\u001b[2J\n\r\u202ex\u0085";
    const text = wideTable(
      [
        bare({
          title: evil,
          live: { name: evil, version: evil },
          configLabel: evil,
          request: { id: "r", kind: "save", steps: [{ outcome: "failed", at: NOW, reason: evil }] },
        }),
      ],
      NOW,
      { color: false },
    );
    expect(text.split("\n")).toHaveLength(3);
    // eslint-disable-next-line no-control-regex
    expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
  });

  test.each([
    [[], "0 sessions, 0 warm"],
    [[bare({ state: "dormant" })], "0 sessions, 0 warm"],
    [[bare({})], "1 session, 0 warm"],
    [[bare({ state: "working" }), bare({})], "2 sessions, 1 warm"],
  ])("the sum of %#", (sessions, text) => {
    expect(wideSummary(sessions, NOW, false)).toBe(text);
  });
});

describe("the width", () => {
  const long = (): MachineState => {
    const state = machine();
    state.status("wide", {
      state: "decision",
      title: "修复失败的测试".repeat(20),
      cwd: `/w/${"很长的名字".repeat(30)}`,
      message: "👍".repeat(200),
    });
    return state;
  };

  test.each([40, 80, 120])("%i columns are never exceeded, in color or not", async (columns) => {
    for (const given of [{ columns }, { environment: { COLUMNS: String(columns) } }]) {
      const { out } = await cli(long(), ["list", "--wide"], given);
      const lines = out.split("\n").slice(0, 9);
      expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(columns);
    }
  });

  test.each([1, 2, 10, 20])("nor are %i, where hardly anything fits", (width) => {
    const rows = machine().rows(NOW);
    for (const line of wideTable(rows, NOW, { color: true, width }).split("\n"))
      expect(stringWidth(line)).toBeLessThanOrEqual(width);
  });

  test("the topic gives way first: at 80 columns warm and cold still show", async () => {
    const state = machine();
    state.transcript(
      [userLine(NOW - 600, "A topic that is much too long to be shown ".repeat(4)), answerLine(NOW - 60)],
      "warm",
    );
    const { out } = await cli(state, ["list", "--wide"], { environment: { COLUMNS: "80" } });
    expect(out).toContain("…");
    expect(out).toContain("warm, 59m left");
    expect(out).toContain("cold for 3h");
    expect(out).toContain("2.1.332");
  });

  test("without a width nothing is cut", async () => {
    expect((await cli(long(), ["list", "--wide"])).out).toContain("修复失败的测试".repeat(5));
  });
});

describe("--sort cold", () => {
  test("holds for the plain table and for JSON as well", async () => {
    const { out } = await cli(machine(), ["list", "--json", "--sort", "cold"]);
    const parsed: unknown = JSON.parse(out);
    expect(parsed).toMatchObject({
      sessions: ["soon", "warm", "busy", "cold", "labelled", "plain", "ended"].map((session_id) => ({ session_id })),
    });
    const plain = (await cli(machine(), ["list", "--sort", "cold"])).out;
    expect(plain.indexOf("Topic of soon")).toBeLessThan(plain.indexOf("Topic of warm"));
    expect(plain.indexOf("Topic of warm")).toBeLessThan(plain.indexOf("Topic of cold"));
  });

  test("JSON tells the same in numbers", async () => {
    const { out } = await cli(machine(), ["list", "--json"]);
    const parsed: unknown = JSON.parse(out);
    expect(parsed).toMatchObject({
      sessions: expect.arrayContaining([
        expect.objectContaining({
          session_id: "warm",
          name: "shop-main",
          version: "2.1.332",
          context_tokens: 45_210,
          config: null,
          cache: {
            state: "warm",
            until: "2027-01-15T08:42:00.000Z",
            cold_since: null,
            ttl_seconds: 3600,
            ttl_from: "assumed",
          },
        }),
        expect.objectContaining({
          session_id: "cold",
          cache: {
            state: "cold",
            until: null,
            cold_since: "2027-01-15T05:00:00.000Z",
            ttl_seconds: 3600,
            ttl_from: "assumed",
          },
        }),
        expect.objectContaining({ session_id: "labelled", config: "work", context_tokens: null }),
      ]),
    });
  });

  test("the preference turns warm into cold", async () => {
    const { out } = await cli(machine(), ["list", "--wide"], { environment: { AGENT_SESSIONS_CACHE_TTL: "5m" } });
    expect(out).toContain("cold for 18m");
    expect(out).not.toContain("warm,");
  });

  test("any other order is wrong usage", async () => {
    expect(await cli(machine(), ["list", "--sort", "name"])).toMatchObject({ code: 2, out: "" });
  });
});
