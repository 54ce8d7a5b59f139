import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { doctor } from "../../src/cli/verbs/doctor";
import { diagnose, type Diagnosis } from "../../src/observe/doctor";
import type { AskVersion } from "../../src/observe/program-version";
import type { Session } from "../../src/session/session";
import { ASSETS, User } from "./user";

/** A user with programs on the PATH; each notes that it was started, and with what. */
function userWith(...programs: string[]): User {
  const user = new User();
  const bin = join(user.folder, "bin");
  user.environment.PATH = bin;
  mkdirSync(bin);
  for (const program of programs) user.write(join(bin, program), `#!/bin/sh\necho "${program} 1.2.3 $*"\n`, 0o755);
  return user;
}

async function diagnosed(user: User): Promise<{ code: number; diagnosis: Diagnosis; text: string }> {
  const json = user.io();
  const code = await doctor({ json: true }, json, { assets: ASSETS });
  const plain = user.io();
  expect(await doctor({ json: false }, plain, { assets: ASSETS })).toBe(code);
  return { code, diagnosis: JSON.parse(json.out()), text: plain.out() };
}

test("nothing on this machine: nothing to do", async () => {
  const { code, diagnosis, text } = await diagnosed(userWith());
  expect([code, diagnosis.agents]).toEqual([0, []]);
  expect(text).toContain("No agent was found");
});

test("an agent that is not set up, and one that is", async () => {
  const user = userWith("claude", "gemini");
  user.setUp("gemini");
  const { code, diagnosis, text } = await diagnosed(user);
  expect(code).toBe(1);
  expect(diagnosis.recorder.state).toBe("current");
  expect(diagnosis.agents).toMatchObject([
    {
      agent: "claude",
      version: "claude 1.2.3 --version",
      settings: [{ state: "missing" }],
      next: "Run agent-sessions setup claude.",
    },
    { agent: "gemini", version: "gemini 1.2.3 --version", settings: [{ state: "set-up" }] },
  ]);
  expect(diagnosis.agents[1]).not.toHaveProperty("next");
  expect(text).toMatch(/^Claude Code: to do$/m);
  expect(text).toMatch(/^Gemini CLI: ok$/m);
});

test("when the last event came, and what is to be done once before the first", async () => {
  const user = userWith("codex");
  user.setUp("codex");
  const before = await diagnosed(user);
  expect(before.code).toBe(0);
  expect(before.text).toContain("open /hooks in Codex and review them");
  const session = join(user.places.home, "sessions", "codex", "s1.json");
  user.write(session, "{}");
  utimesSync(session, 1_800_000_000, 1_800_000_000);
  const after = await diagnosed(user);
  expect(after.diagnosis.agents[0]?.lastEventAt).toBe(1_800_000_000);
  expect(after.diagnosis.agents[0]?.notes).toEqual([]);
});

test("hooks of another home, or in part, are outdated", async () => {
  const user = userWith("claude");
  user.write(
    user.settings("claude"),
    JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "/old/bin/record claude Stop" }] }] } }),
  );
  const { code, diagnosis } = await diagnosed(user);
  expect([code, diagnosis.agents[0]?.settings[0]?.state]).toEqual([1, "outdated"]);
});

test("a recorder that is gone, older or not executable", async () => {
  const user = userWith("claude");
  user.setUp("claude");
  const record = join(user.places.home, "bin", "record");
  chmodSync(record, 0o600);
  expect(await diagnosed(user)).toMatchObject({ code: 1, diagnosis: { recorder: { state: "not-executable" } } });
  user.write(record, "#!/bin/sh\n", 0o700);
  expect(await diagnosed(user)).toMatchObject({ code: 1, diagnosis: { recorder: { state: "outdated" } } });
  rmSync(record);
  const gone = await diagnosed(user);
  expect(gone).toMatchObject({ code: 1, diagnosis: { recorder: { state: "missing" } } });
  expect(gone.diagnosis.agents[0]?.next).toBe("Run agent-sessions setup claude.");
});

test("switches, broken files and other people's programs are named with the next step", async () => {
  const user = userWith("claude", "gemini", "aider");
  user.write(user.settings("claude"), '{"disableAllHooks": true}');
  user.setUp("claude");
  user.write(user.settings("gemini"), "{\n  oops\n}");
  user.write(user.settings("aider"), "notifications-command: say done\n");
  const { code, diagnosis } = await diagnosed(user);
  expect(code).toBe(1);
  const [claude, gemini, aider] = diagnosis.agents;
  expect(claude?.notes[0]).toContain('"disableAllHooks" is on');
  expect(claude?.next).toContain("Turn hooks on");
  expect(gemini?.next).toMatch(/settings\.json:2:3: /);
  expect(aider?.settings[0]).toMatchObject({ state: "kept" });
});

test("a program that hangs or fails is no hindrance, and no file is touched", async () => {
  const user = userWith();
  const bin = join(user.folder, "bin");
  user.write(join(bin, "claude"), "#!/bin/sh\nexec sleep 60\n", 0o755);
  user.write(join(bin, "codex"), "#!/bin/sh\nexit 3\n", 0o755);
  user.environment.PATH = bin;
  const start = user.snapshot();
  const io = user.io();
  const from = Date.now();
  expect(await doctor({ json: true }, io, { assets: ASSETS })).toBe(1);
  expect(Date.now() - from).toBeLessThan(10_000);
  const { agents }: Diagnosis = JSON.parse(io.out());
  expect(agents.map(({ agent, version }) => [agent, version])).toEqual([
    ["claude", undefined],
    ["codex", undefined],
  ]);
  expect(user.snapshot()).toEqual(start);
}, 20_000);

test("settings with secrets in them are not shown", async () => {
  const user = userWith("claude");
  user.write(user.settings("claude"), '{"env": {"ANTHROPIC_API_KEY": "sk-very-secret"}}');
  user.setUp("claude");
  const { text, diagnosis } = await diagnosed(user);
  expect(text + JSON.stringify(diagnosis)).not.toContain("sk-very-secret");
});

describe("the plugin", () => {
  const version =
    (text: string): AskVersion =>
    () =>
      Promise.resolve(text);

  async function told(user: User, claude = "2.1.332 (Claude Code)") {
    const surroundings = { assets: ASSETS, askVersion: version(claude) };
    const json = user.io();
    const code = await doctor({ json: true }, json, surroundings);
    const plain = user.io();
    await doctor({ json: false }, plain, surroundings);
    const { agents }: Diagnosis = JSON.parse(json.out());
    return { code, finding: agents[0], text: plain.out() };
  }

  const folderOf = (user: User) => join(user.folder, ".claude", "skills", "agent-sessions");

  test("it is no lack: who has none is told how to get it, where the client is new enough", async () => {
    const user = userWith("claude");
    user.setUp("claude");
    const without = await told(user);
    expect([without.code, without.finding?.plugin]).toEqual([
      0,
      expect.objectContaining({
        needs: "2.1.287",
        fits: true,
        folders: [{ folder: folderOf(user), state: "missing" }],
      }),
    ]);
    expect(without.finding?.notes).toContain("The Claude plugin can be added: agent-sessions setup claude --plugin");
    expect(without.text).toContain(`plugin    ${folderOf(user)}: not installed`);
    const old = await told(user, "2.1.286 (Claude Code)");
    expect(old.code).toBe(0);
    expect(old.finding?.notes).toContain("The Claude plugin needs Claude Code 2.1.287 or newer; this is 2.1.286.");
  });

  test("there and current; in a client that is too old; turned off; changed; not ours", async () => {
    const user = userWith("claude");
    await user.run({ agents: ["claude"], plugin: true }, user.io(), { askVersion: version("2.1.332") });
    const well = await told(user);
    expect([well.code, well.finding?.plugin?.folders[0]?.state]).toEqual([0, "installed"]);
    const old = await told(user, "2.1.286 (Claude Code)");
    expect([old.code, old.finding?.next]).toEqual([1, "Update Claude Code: the plugin needs 2.1.287 or newer."]);

    const settings = JSON.parse(readFileSync(user.settings("claude"), "utf8"));
    const off = { ...settings, enabledPlugins: { "agent-sessions@skills-dir": false } };
    user.write(user.settings("claude"), JSON.stringify(off));
    const silent = await told(user);
    expect(silent.finding?.plugin?.folders[0]).toMatchObject({ isOff: true });
    expect(silent.text).toContain("is turned off; /plugin in Claude Code turns it on");

    user.write(join(folderOf(user), "core", "save.ts"), "broken");
    const broken = await told(user);
    expect([broken.code, broken.finding?.next]).toEqual([1, "Run agent-sessions setup claude."]);

    user.write(join(folderOf(user), "mine.md"), "mine");
    const mixed = await told(user);
    expect([mixed.code, mixed.finding?.plugin?.folders[0]?.state]).toEqual([0, "refused"]);
    expect(mixed.text).toContain("did not put there: mine.md");
  });

  test("running sessions that lack it are counted", async () => {
    const user = userWith("claude");
    await user.run({ agents: ["claude"], plugin: true }, user.io(), { askVersion: version("2.1.332") });
    const session = (id: string, liveness: "running" | "gone", plugin?: object) =>
      sessionWith({ id: `claude:${id}`, sessionId: id, liveness, ...(plugin === undefined ? {} : { plugin }) });
    const sessions = [
      session("one", "running", {}),
      session("two", "running"),
      session("three", "gone"),
      { ...session("four", "running"), agent: "codex" },
    ];
    const { agents } = await diagnose(user.place, version("2.1.332"), sessions);
    expect(agents[0]?.plugin?.sessions).toEqual({ running: 2, having: 1 });
    expect(agents[0]?.notes).toContain(
      "1 of 2 running sessions lack the plugin: /reload-plugins in them, or a restart.",
    );
  });

  test("events that the client does not know are told of once the hooks are set up", async () => {
    const user = userWith("claude");
    expect((await told(user, "2.1.88")).finding?.notes.join()).not.toContain("PermissionDenied");
    user.setUp("claude");
    expect((await told(user, "2.1.88")).finding?.notes.join()).toContain(
      "does not know the hook event PermissionDenied",
    );
    expect((await told(user)).finding?.notes.join()).not.toContain("does not know");
  });
});

function sessionWith(part: Partial<Session>): Session {
  return {
    agent: "claude",
    id: "claude:s1",
    sessionId: "s1",
    state: "idle",
    unread: false,
    needsYou: false,
    title: "s1",
    subagents: 0,
    sources: ["registry"],
    evidence: [],
    ...part,
  } as Session;
}
