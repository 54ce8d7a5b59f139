import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  followAsked,
  invokeKill,
  invokeRequest,
  type AskReport,
  type LauncherRequest,
} from "../../src/cli/invoke-request";
import type { Invoker } from "../../src/cli/invoker";
import { SessionsError } from "../../src/session/failure";
import type { SessionRecord } from "../../src/session/record";
import { SessionStore } from "../../src/store/session-store";
import { AgentFiles, now } from "../views/agent-files";
import { filed, tell } from "../views/control-files";
import { FakeCommand } from "../views/fake-command";
import { installCommand } from "./installed";

const BUSY = "4f2e8190-1d47-46fc-99e3-ee42f99623d5";
const WARM = "5f2e8190-1d47-46fc-99e3-ee42f99623d5";
const COLD = "6f2e8190-1d47-46fc-99e3-ee42f99623d5";
const ASKS = "7f2e8190-1d47-46fc-99e3-ee42f99623d5";

let installed: string;

beforeAll(() => {
  installed = installCommand();
});

function invokerFor({ places }: AgentFiles, more: Partial<Invoker> = {}): Invoker {
  const { home, statusDirectory, signalStateFile } = places;
  // No agent's command is on this PATH; the installed command finds its node.
  const environment = { ...process.env, PATH: "/nowhere" };
  return { preferences: { home, statusDirectory, signalStateFile }, environment, ...more };
}

/** By the installed command, which needs a node. */
function through(files: AgentFiles): Invoker {
  const environment = { ...process.env, PATH: [join(process.execPath, ".."), "/bin", "/usr/bin"].join(":") };
  return invokerFor(files, { commandPath: installed, environment });
}

function record(files: AgentFiles, sessionId: string, given: Partial<SessionRecord>): void {
  const at = now() - 600;
  new SessionStore(files.places.home).save({
    record: {
      agent: "claude",
      sessionId,
      phase: "idle",
      waits: [],
      state: "idle",
      since: at,
      eventAt: at,
      event: "Stop",
      calls: [],
      subagents: [],
      background: {},
      monitors: {},
      title: `session ${sessionId.slice(0, 1)}`,
      ...given,
    },
    folded: [],
  });
}

/** One at work, one warm, one cold, one at a dialog. */
function sessions(): AgentFiles {
  const files = new AgentFiles();
  const at = now();
  record(files, BUSY, { phase: "working", state: "working", event: "UserPromptSubmit" });
  record(files, WARM, { phase: "done", state: "done", doneAt: at - 600 });
  record(files, COLD, { phase: "done", state: "done", doneAt: at - 7200, since: at - 7200 });
  record(files, ASKS, { phase: "working", waits: [{ kind: "permission" }], state: "waiting", doneAt: at - 900 });
  return files;
}

/** What comes of a request, without what is new each time. */
async function outcomeOf(request: LauncherRequest, invoker: Invoker): Promise<unknown> {
  const report = await invokeRequest(request, invoker).catch((error: unknown) =>
    error instanceof SessionsError ? error.message : `not ours: ${String(error)}`,
  );
  return JSON.parse(JSON.stringify(report), (key, value: unknown) =>
    key === "at" || (key === "id" && typeof value === "string" && !value.includes(":")) ? "new" : value,
  );
}

describe("in this process and through the installed command", () => {
  test.each<[string, LauncherRequest]>([
    ["save one at work", { kind: "save", sessions: [`claude:${BUSY}`], includeCold: false }],
    ["save all", { kind: "save", sessions: "all", includeCold: false }],
    ["save a cold one", { kind: "save", sessions: [COLD], includeCold: false }],
    ["save a cold one all the same", { kind: "save", sessions: [COLD], includeCold: true }],
    ["save and restart", { kind: "save-restart", sessions: [BUSY, WARM], includeCold: false }],
    ["cancel where nothing waits", { kind: "cancel", sessions: [BUSY] }],
    ["stop", { kind: "interrupt", id: BUSY }],
    ["a message", { kind: "prompt", id: BUSY, text: "go on\nwith step 2" }],
    ["a message that looks like an option", { kind: "prompt", id: BUSY, text: "--all $(touch x) `y`" }],
    ["a message with what steers", { kind: "prompt", id: BUSY, text: "go\u001b[2J on\u0000" }],
    ["a message to one at a dialog", { kind: "prompt", id: ASKS, text: "yes" }],
    ["an empty message", { kind: "prompt", id: BUSY, text: " \n " }],
    ["an unknown id", { kind: "save", sessions: ["gone"], includeCold: false }],
    ["an id that looks like an option", { kind: "interrupt", id: "--kill" }],
    ["an ambiguous id", { kind: "cancel", sessions: [""] }],
  ])("%s: the same report", async (_name, request) => {
    const [one, other] = [sessions(), sessions()];
    const here = await outcomeOf(request, invokerFor(one));
    expect(await outcomeOf(request, through(other))).toEqual(here);
  });

  test("a message reaches the session as it was written", async () => {
    for (const invokerOf of [invokerFor, through]) {
      const files = sessions();
      const report = await invokeRequest({ kind: "prompt", id: BUSY, text: "--all\n$(touch x)" }, invokerOf(files));
      expect(report.reached).toMatchObject([{ id: `claude:${BUSY}`, request: { kind: "prompt", by: "stop-hook" } }]);
      const folder = join(files.places.home, "control", "stop", "claude");
      expect(readdirSync(folder)).toEqual([BUSY]);
      expect(readFileSync(join(folder, BUSY), "utf8")).toContain("--all\\n$(touch x)");
    }
  });

  test("to one at a dialog nothing is sent at all", async () => {
    for (const invokerOf of [invokerFor, through]) {
      const files = sessions();
      const { refused } = await invokeRequest({ kind: "prompt", id: ASKS, text: "yes" }, invokerOf(files));
      expect(refused).toMatchObject([{ reason: "it waits for you at a dialog: answer that first" }]);
      expect(existsSync(join(files.places.home, "control", "stop"))).toBe(false);
    }
  });

  test("ending a process that is not certain is refused alike", async () => {
    for (const invokerOf of [invokerFor, through]) {
      expect(await invokeKill(BUSY, invokerOf(sessions()))).toEqual({
        outcome: "refused",
        reason: "which process it is, is not certain",
      });
    }
  });
});

test("who asks here is the launcher", async () => {
  const files = sessions();
  await invokeRequest({ kind: "save", sessions: [BUSY], includeCold: false }, invokerFor(files));
  const folder = join(files.places.home, "control", "claude", BUSY);
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  expect(texts.join("\n")).toContain('"author":"launcher"');
});

test("a process is ended by its number once it is looked at anew", async () => {
  const files = new AgentFiles();
  record(files, BUSY, { phase: "working", state: "working", pid: 4242, pidKnownAt: now() - 60 });
  const signals: string[] = [];
  const invoker = invokerFor(files, {
    processes: { look: () => "running" },
    control: {
      pause: () => Promise.resolve(),
      processes: {
        look: () => Promise.resolve(signals.length > 0 ? "gone" : "running"),
        argumentsOf: () => undefined,
        parentOf: () => undefined,
        terminalOf: () => Promise.resolve(undefined),
        signal: (pid, name) => void signals.push(`${name} ${pid}`),
      },
    },
  });
  expect(await invokeKill(`claude:${BUSY}`, invoker)).toEqual({ outcome: "ended", by: "SIGTERM" });
  expect(signals).toEqual(["SIGTERM 4242"]);
  await expect(invokeKill("gone", invoker)).rejects.toMatchObject({ code: "not-found" });
});

describe("following", () => {
  function reportOf(request: AskReport["reached"][number]["request"]): AskReport {
    return { kind: "save", reached: [{ id: "claude:s1", title: "Shop", request }], leftOut: [], refused: [] };
  }

  test("tells each step, and the report has the outcome", async () => {
    const files = new AgentFiles();
    files.status("s1", "idle");
    const steps = [["delivered"], ["delivered", "saving", "saved"]] as const;
    let looks = 0;
    const pause = () => {
      const outcomes = steps[looks];
      looks += 1;
      if (outcomes !== undefined) tell(files, "s1", filed("save"), ...outcomes);
      return Promise.resolve();
    };
    const report = reportOf(filed("save"));
    const told: string[] = [];
    const isOver = await followAsked(report, invokerFor(files, { control: { pause } }), 60_000, ({ request }) =>
      told.push(request.steps.at(-1)?.outcome ?? ""),
    );
    expect(isOver).toBe(true);
    expect(told.at(-1)).toBe("saved");
    expect(report.reached[0]?.request.steps.at(-1)?.outcome).toBe("saved");
  });

  test("ends when its time is over, and leaves the request be", async () => {
    const files = new AgentFiles();
    files.status("s1", "idle");
    tell(files, "s1", filed("save"), "delivered", "saving");
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
    const report = reportOf(filed("save"));
    expect(await followAsked(report, invokerFor(files, { control: { pause } }), 50, () => undefined)).toBe(false);
    expect(report.reached[0]?.request.steps.at(-1)?.outcome).toBe("saving");
  });
});

describe("the installed command", () => {
  const REPORT = { kind: "save", reached: [], leftOut: [], refused: [] };

  test.each<[string, unknown]>([
    ["an older report", { kind: "save", reached: [] }],
    [
      "a request whose id is a path",
      {
        ...REPORT,
        reached: [
          { id: "a", title: "t", request: { id: "../../x", kind: "save", steps: [{ outcome: "queued", at: 1 }] } },
        ],
      },
    ],
    [
      "a request without steps",
      { ...REPORT, reached: [{ id: "a", title: "t", request: { id: "x", kind: "save", steps: [] } }] },
    ],
    [
      "an outcome that nobody knows",
      {
        ...REPORT,
        reached: [{ id: "a", title: "t", request: { id: "x", kind: "save", steps: [{ outcome: "eaten", at: 1 }] } }],
      },
    ],
    ["garbage", "saved"],
  ])("that prints %s did not answer", async (_name, out) => {
    const { path } = new FakeCommand({ pause: { out }, stop: { out } });
    const invoker = invokerFor(new AgentFiles(), { commandPath: path });
    await expect(invokeRequest({ kind: "save", sessions: "all", includeCold: false }, invoker)).rejects.toThrow(
      "did not answer as agent-sessions does",
    );
    await expect(invokeKill("x", invoker)).rejects.toThrow("did not answer as agent-sessions does");
  });

  test("is asked for each kind by its own verb, ids and texts after --", async () => {
    const out = { kind: "save", reached: [], leftOut: [], refused: [] };
    const command = new FakeCommand({
      pause: { out, code: 1 },
      cancel: { out, code: 1 },
      send: { out, code: 1 },
      stop: { out, code: 1 },
    });
    const invoker = invokerFor(new AgentFiles(), { commandPath: command.path });
    await invokeRequest({ kind: "save", sessions: "all", includeCold: true }, invoker);
    await invokeRequest({ kind: "save-restart", sessions: ["--all", "b"], includeCold: false }, invoker);
    await invokeRequest({ kind: "cancel", sessions: ["a"] }, invoker);
    await invokeRequest({ kind: "interrupt", id: "a" }, invoker);
    await invokeRequest({ kind: "prompt", id: "a", text: "--help" }, invoker);
    expect(command.calls).toEqual([
      ["pause", "--json", "--include-cold", "--all"],
      ["pause", "--json", "--restart", "--", "--all", "b"],
      ["cancel", "--json", "--", "a"],
      ["stop", "--json", "--", "a"],
      ["send", "--json", "--", "a", "--help"],
    ]);
  });
});
