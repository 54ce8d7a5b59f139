import { buildSync } from "esbuild";
import { execFileSync, spawnSync } from "node:child_process";
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { decodeInboxEntry } from "../../src/files/inbox-entry";
import { applySetUp, planSetUp } from "../../src/observe/set-up";
import { scratchFolder } from "../scratch";
import { AGENTS, ASSETS, User, withoutBackups } from "./user";

const SETTINGS = '{\n  // mine\n  "model": "x"\n}\n';

afterEach(() => jest.restoreAllMocks());

describe("agent-sessions setup", () => {
  test("shows the exact difference, asks, and does nothing unless the answer is yes", async () => {
    const user = new User();
    const path = user.settings("claude");
    user.write(path, SETTINGS);
    const start = user.snapshot();
    const io = user.io(80);
    const asked: string[] = [];
    const ask = (answer: boolean) => (question: string) => {
      asked.push(question);
      return Promise.resolve(answer);
    };
    expect(await user.run({ agents: ["claude"], yes: false }, io, { ask: ask(false) })).toBe(1);
    expect(asked).toEqual(["\nMake these changes? [y/N] "]);
    expect(user.snapshot()).toEqual(start);
    expect(existsSync(user.places.home)).toBe(false);

    expect(await user.run({ agents: ["claude"], yes: false }, user.io(80), { ask: ask(true) })).toBe(0);
    // The difference that was shown, applied by another program, gives the file that was written.
    const diff = io.out().slice(io.out().indexOf("--- "), io.out().indexOf("Nothing was changed"));
    const copy = join(scratchFolder(), "settings.json");
    user.write(copy, SETTINGS);
    execFileSync("patch", ["-s", copy], { input: diff });
    expect(readFileSync(copy, "utf8")).toBe(readFileSync(path, "utf8"));
  });

  test("a dry run writes nothing, not even our home", async () => {
    const user = new User();
    user.write(user.settings("claude"), SETTINGS);
    const start = user.snapshot();
    const io = user.io();
    expect(await user.run({ agents: [...AGENTS], dryRun: true, yes: true }, io)).toBe(0);
    expect(io.out()).toContain("Nothing was written: this was a dry run.");
    expect(user.snapshot()).toEqual(start);
    expect(existsSync(user.places.home)).toBe(false);
  });

  test("without a terminal it wants --yes", async () => {
    const user = new User();
    await expect(user.run({ agents: ["claude"], yes: false }, user.io())).rejects.toMatchObject({ code: "usage" });
    expect(user.snapshot()).toEqual({});
  });

  test("all agents: set up, set up again, removed", async () => {
    const user = new User();
    expect(await user.run({ agents: [...AGENTS] }, user.io())).toBe(0);
    const { home } = user.places;
    expect(statSync(join(home, "bin", "record")).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, "inbox")).mode & 0o777).toBe(0o700);
    expect(readFileSync(join(home, "bin", "record"), "utf8")).toBe(readFileSync(join(ASSETS, "bin", "record"), "utf8"));
    const set = user.snapshot();
    const again = user.io();
    expect(await user.run({ agents: [...AGENTS] }, again)).toBe(0);
    expect(again.out()).toContain("Nothing to change.");
    expect(user.snapshot()).toEqual(set);
    expect(await user.run({ remove: true }, user.io())).toBe(0);
    expect(user.snapshot()).toEqual({});
  });

  test("without names it takes the agents that are found, by program or by folder", async () => {
    const user = new User();
    const bin = join(user.folder, "bin");
    user.environment.PATH = bin;
    user.write(join(bin, "gemini"), "#!/bin/sh\n", 0o755);
    user.write(join(bin, "codex"), "no program", 0o644);
    mkdirSync(join(user.folder, ".claude"));
    const io = user.io();
    await user.run({ dryRun: true }, io);
    expect(io.out().match(/^[A-Z][^:]*(?=: \/)/gm)).toEqual(["Claude Code", "Gemini CLI"]);
    await expect(new User().run({}, new User().io())).rejects.toMatchObject({ code: "not-found" });
    await expect(user.run({ agents: ["nobody"] }, user.io())).rejects.toMatchObject({ code: "usage" });
  });

  test("an outdated recorder is brought up to date, even where the hooks are in place", async () => {
    const user = new User();
    await user.run({ agents: ["claude"] }, user.io());
    const record = join(user.places.home, "bin", "record");
    user.write(record, "#!/bin/sh\n# older\n", 0o600);
    const io = user.io();
    await user.run({ agents: ["claude"] }, io);
    expect(io.out()).toContain("The recorder will be installed");
    expect(readFileSync(record, "utf8")).toBe(readFileSync(join(ASSETS, "bin", "record"), "utf8"));
    expect(statSync(record).mode & 0o777).toBe(0o700);
  });

  test("switches that keep hooks from running are told of, and stay", async () => {
    const user = new User();
    user.write(user.settings("claude"), '{"disableAllHooks": true}');
    user.write(user.settings("codex", 1), "[features]\nhooks = false\n");
    const io = user.io();
    expect(await user.run({ agents: ["claude", "codex"] }, io)).toBe(0);
    expect(io.out()).toContain('Note: Claude Code: "disableAllHooks" is on');
    expect(io.out()).toContain('Note: Codex: "features.hooks" is off');
    expect(readFileSync(user.settings("claude"), "utf8")).toContain('"disableAllHooks":');
  });
});

describe("settings files are written carefully", () => {
  test("a backup beside it, the file's mode kept, and nothing else left", async () => {
    const user = new User();
    const path = user.settings("claude");
    user.write(path, SETTINGS, 0o640);
    const now = () => new Date(2026, 4, 28, 3, 4, 5);
    await user.run({ agents: ["claude"] }, user.io(), { now });
    expect(statSync(path).mode & 0o777).toBe(0o640);
    const backup = `${path}.bak-20260528030405`;
    expect(readFileSync(backup, "utf8")).toBe(SETTINGS);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    await user.run({ agents: ["claude"], remove: true }, user.io(), { now });
    expect(readFileSync(path, "utf8")).toBe(SETTINGS);
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(readdirSync(dirname(path)).sort()).toEqual([
      "settings.json",
      "settings.json.bak-20260528030405",
      "settings.json.bak-20260528030405-1",
    ]);
  });

  test("a write that fails after the backup leaves the file as it was", async () => {
    const user = new User();
    const path = user.settings("claude");
    user.write(path, SETTINGS);
    const real = fs.renameSync;
    jest.spyOn(fs, "renameSync").mockImplementation((from, to) => {
      if (to === path) throw new Error("no space left");
      real(from, to);
    });
    const io = user.io();
    expect(await user.run({ agents: ["claude"] }, io)).toBe(1);
    expect(io.err()).toContain("no space left");
    expect(readFileSync(path, "utf8")).toBe(SETTINGS);
    expect(withoutBackups(user.snapshot())).toEqual({ ".claude": "folder", ".claude/settings.json": SETTINGS });
    jest.restoreAllMocks();
    expect(await user.run({ agents: ["claude"] }, user.io())).toBe(0);
  });

  test("a process killed between the backup and the write leaves the file as it was", () => {
    const user = new User();
    const path = user.settings("claude");
    user.write(path, SETTINGS);
    const command = bundle();
    const killer = join(scratchFolder(), "killer.js");
    // The first rename onto the settings file is the write.
    user.write(
      killer,
      `const fs = require("fs"); const { renameSync } = fs;
       fs.renameSync = (from, to) => to === ${JSON.stringify(path)} ? process.kill(process.pid, "SIGKILL") : renameSync(from, to);`,
    );
    const environment = { ...user.environment, PATH: process.env.PATH, AGENT_SESSIONS_HOME: user.places.home };
    const killed = spawnSync(process.execPath, ["-r", killer, command, "setup", "claude", "--yes"], {
      env: environment,
    });
    expect(killed.signal).toBe("SIGKILL");
    expect(readFileSync(path, "utf8")).toBe(SETTINGS);
    const next = spawnSync(process.execPath, [command, "setup", "claude", "--yes"], {
      env: environment,
      encoding: "utf8",
    });
    expect([next.status, next.stderr]).toEqual([0, ""]);
    expect(readFileSync(path, "utf8")).toContain("record claude Stop");
  });

  test("a file that was changed after the question is left alone, and the others are done", () => {
    const user = new User();
    const path = user.settings("claude");
    user.write(path, SETTINGS);
    const plan = planSetUp(user.place, [user.agent("claude"), user.agent("gemini")]);
    user.write(path, `${SETTINGS}\n`);
    const applied = applySetUp(plan);
    expect(applied.map(({ outcome }) => outcome)).toEqual(["failed", "written"]);
    expect(applied[0]).toMatchObject({
      error: { code: "refused", message: expect.stringContaining("was changed meanwhile") },
    });
    expect(readFileSync(path, "utf8")).toBe(`${SETTINGS}\n`);
    expect(Object.keys(user.snapshot()).filter((name) => name.includes(".bak-"))).toEqual([]);
  });

  test("a link into the user's own files is written through", () => {
    const user = new User();
    const path = user.settings("claude");
    const dotfiles = join(user.folder, "dotfiles", "claude.json");
    user.write(dotfiles, SETTINGS);
    mkdirSync(dirname(path));
    symlinkSync(dotfiles, path);
    user.setUp("claude");
    expect(readFileSync(dotfiles, "utf8")).toContain("record claude Stop");
    expect(readdirSync(dirname(dotfiles))).toEqual(["claude.json"]);
    user.remove("claude");
    expect(readFileSync(dotfiles, "utf8")).toBe(SETTINGS);
    expect(readFileSync(path, "utf8")).toBe(SETTINGS);
  });

  test("a link that leads nowhere, a folder, and bytes that are no text are refused", async () => {
    const user = new User();
    mkdirSync(join(user.folder, ".claude"));
    symlinkSync(join(user.folder, "gone"), user.settings("claude"));
    mkdirSync(user.settings("gemini"), { recursive: true });
    user.write(user.settings("qwen"), Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]));
    for (const [agent, reason] of [
      ["claude", "leads nowhere"],
      ["gemini", "is a folder"],
      ["qwen", "is no UTF-8 text"],
    ] as const) {
      const io = user.io();
      expect(await user.run({ agents: [agent] }, io)).toBe(1);
      expect(io.err()).toContain(reason);
    }
  });

  const asRoot = process.geteuid?.() === 0 ? test : test.skip;

  asRoot("another user's file, or a link to one, is refused (skipped unless root, who can make one)", async () => {
    const user = new User();
    const theirs = join(user.folder, "theirs.json");
    user.write(theirs, SETTINGS);
    chownSync(theirs, 12345, 12345);
    mkdirSync(join(user.folder, ".claude"));
    symlinkSync(theirs, user.settings("claude"));
    user.write(user.settings("gemini"), SETTINGS);
    chownSync(user.settings("gemini"), 12345, 12345);
    for (const agent of ["claude", "gemini"]) {
      const io = user.io();
      expect(await user.run({ agents: [agent] }, io)).toBe(1);
      expect(io.err()).toContain("belongs to another user");
    }
    expect(readFileSync(theirs, "utf8")).toBe(SETTINGS);

    const own = join(user.folder, "own.json");
    user.write(own, SETTINGS);
    mkdirSync(dirname(user.settings("qwen")));
    symlinkSync(own, user.settings("qwen"));
    lchownSync(user.settings("qwen"), 12345, 12345);
    const io = user.io();
    expect(await user.run({ agents: ["qwen"] }, io)).toBe(1);
    expect(io.err()).toContain("is a symbolic link of another user");
    expect(readFileSync(own, "utf8")).toBe(SETTINGS);
  });
});

let built: string | undefined;

/** The command as it is shipped: one file in build/, the recorder in assets/ beside it. */
function bundle(): string {
  if (built !== undefined) return built;
  const folder = scratchFolder();
  const root = resolve(__dirname, "..", "..");
  const outfile = join(folder, "build", "agent-sessions.js");
  buildSync({
    stdin: { contents: ENTRY, resolveDir: join(root, "src", "cli"), loader: "ts" },
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    mainFields: ["module", "main"],
  });
  mkdirSync(join(folder, "assets", "bin"), { recursive: true });
  execFileSync("cp", [join(ASSETS, "bin", "record"), join(folder, "assets", "bin", "record")]);
  built = outfile;
  return outfile;
}

const ENTRY = `
import { setup } from "./verbs/setup";
import { processIo } from "./process-io";
const agents = process.argv.slice(3).filter((each) => !each.startsWith("--"));
const has = (option: string) => process.argv.includes(option);
const request = { agents, remove: has("--remove"), dryRun: has("--dry-run"), yes: has("--yes") };
setup(request, processIo()).then((code) => (process.exitCode = code), (error) => { console.error(error); process.exitCode = 1; });
`;

describe("the bundled command", () => {
  test.each(["agent sessions", "plain", 'it\'s $HOME `x` "q"'])(
    "in an empty home called %p: what it registers delivers an entry",
    (name) => {
      const home = join(scratchFolder(), name);
      mkdirSync(home);
      const environment = { HOME: home, PATH: process.env.PATH };
      const run = spawnSync(process.execPath, [bundle(), "setup", "claude", "--yes"], {
        env: environment,
        encoding: "utf8",
      });
      expect([run.status, run.stderr]).toEqual([0, ""]);
      const settings = JSON.parse(readFileSync(join(home, ".claude", "settings.json"), "utf8"));
      const { command } = settings.hooks.Stop[0].hooks[0];
      const payload = '{"session_id":"s1","hook_event_name":"Stop"}';
      const hook = spawnSync("sh", ["-c", command], { input: payload, env: environment, encoding: "utf8", cwd: "/" });
      expect([hook.status, hook.stdout, hook.stderr]).toEqual([0, "", ""]);
      const inbox = join(home, ".agent-sessions", "inbox");
      const entries = readdirSync(inbox);
      expect(entries).toHaveLength(1);
      const decoded = decodeInboxEntry(readFileSync(join(inbox, entries[0] ?? ""), "utf8"));
      expect(decoded).toMatchObject({ outcome: "entry", entry: { agent: "claude", event: "Stop", payload } });

      const removal = spawnSync(process.execPath, [bundle(), "setup", "--remove", "--yes"], { env: environment });
      expect(removal.status).toBe(0);
      expect(readdirSync(home)).toEqual([".agent-sessions"]);
    },
  );

  test("Copilot's preToolUse lets tools through when the recorder is gone", async () => {
    const user = new User();
    await user.run({ agents: ["copilot"] }, user.io());
    const { hooks } = JSON.parse(readFileSync(user.settings("copilot"), "utf8"));
    chmodSync(join(user.places.home, "bin", "record"), 0o000);
    execFileSync("rm", [join(user.places.home, "bin", "record")]);
    expect(spawnSync("sh", ["-c", hooks.preToolUse[0].bash], { input: "{}" }).status).toBe(0);
  });
});
