import { buildSync } from "esbuild";
import { spawnSync } from "node:child_process";
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { applyPlugins, planPlugins } from "../../src/observe/plugin-set-up";
import { scratchFolder } from "../scratch";
import { ASSETS, User, withoutBackups } from "./user";

const SHIPPED = join(ASSETS, "claude-plugin");

afterEach(() => jest.restoreAllMocks());

/** What a user has in their configuration folder besides. */
function userOfClaude(environment: Record<string, string> = {}): User {
  const user = new User(environment);
  user.write(join(user.folder, ".claude", "settings.json"), '{"model": "x"}\n');
  user.write(join(user.folder, ".claude", "skills", "review", "SKILL.md"), "# Review\n");
  return user;
}

const pluginOf = (user: User, config = ".claude") => join(user.folder, config, "skills", "agent-sessions");

/** The files below a folder, by their paths. */
function filesIn(folder: string): Record<string, Buffer> {
  const found: Record<string, Buffer> = {};
  const walk = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const each = join(path, entry.name);
      if (entry.isDirectory()) walk(each);
      else found[relative(folder, each)] = readFileSync(each);
    }
  };
  walk(folder);
  return found;
}

/** What ships and is of use to a user: not the plugin's own tests, nor what is for git. */
function expectedFiles(assets = SHIPPED): Record<string, Buffer> {
  return Object.fromEntries(
    Object.entries(filesIn(assets)).filter(([path]) => !path.includes(".test.") && path !== ".gitignore"),
  );
}

function installed(user: User, config?: string): Record<string, Buffer> {
  const { ".agent-sessions.json": note, ...files } = filesIn(pluginOf(user, config));
  expect(note).toBeDefined();
  return files;
}

async function install(user: User, assets = ASSETS): Promise<void> {
  expect(await user.run({ agents: ["claude"], plugin: true }, user.io(), { assets })).toBe(0);
}

/** Assets whose plugin is another version, and differs in some files. */
function assetsOf(version: string): string {
  const assets = scratchFolder();
  cpSync(ASSETS, assets, { recursive: true });
  const manifest = join(assets, "claude-plugin", ".claude-plugin", "plugin.json");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, text.replace(/"version": "[^"]*"/, `"version": "${version}"`));
  rmSync(join(assets, "claude-plugin", "core", "texts.ts"));
  writeFileSync(join(assets, "claude-plugin", "core", "words.ts"), "export {};\n");
  return assets;
}

const beside = (user: User) => readdirSync(dirname(pluginOf(user))).sort();

describe("installing the plugin", () => {
  test("shows where, what it does and each file, asks, and puts exactly what ships there, for the user alone", async () => {
    const user = userOfClaude();
    const io = user.io(80);
    const asked: string[] = [];
    const ask = (question: string) => {
      asked.push(question);
      expect(existsSync(pluginOf(user))).toBe(false);
      return Promise.resolve(true);
    };
    expect(await user.run({ agents: ["claude"], yes: false, plugin: true }, io, { ask })).toBe(0);
    expect(asked).toEqual(["\nMake these changes? [y/N] "]);
    expect(io.out()).toContain(`Claude Code: ${pluginOf(user)} will be made`);
    expect(io.out()).toMatch(/\/sessions and \/pause/);
    const listed = Array.from(io.out().matchAll(/^ {2}\+ (.*)$/gm), ([, path]) => path);
    expect(listed.sort()).toEqual(Object.keys(expectedFiles()).sort());
    expect(io.out()).toContain("/reload-plugins");
    expect(installed(user)).toEqual(expectedFiles());
    for (const path of Object.keys(filesIn(pluginOf(user)))) {
      expect([path, statSync(join(pluginOf(user), path)).mode & 0o777]).toEqual([path, 0o600]);
      expect(statSync(dirname(join(pluginOf(user), path))).mode & 0o777).toBe(0o700);
    }
    expect(statSync(join(user.places.home, "plugin")).mode & 0o777).toBe(0o700);
    expect(beside(user)).toEqual(["agent-sessions", "review"]);
  });

  test("nobody gets it unasked: not with --yes, not with a no, not with --no-plugin", async () => {
    const user = userOfClaude();
    const quiet = user.io();
    await user.run({ agents: ["claude"] }, quiet);
    expect(quiet.out()).toContain("--plugin adds it");
    const asked: string[] = [];
    const ask = (question: string) => {
      asked.push(question);
      return Promise.resolve(false);
    };
    const io = user.io(80);
    expect(await user.run({ agents: ["claude"], yes: false }, io, { ask })).toBe(0);
    expect(asked).toEqual(["\nInstall the plugin, too? [y/N] "]);
    expect(io.out()).toContain(pluginOf(user));
    expect(await user.run({ agents: ["claude"], yes: false, plugin: false }, user.io(80), { ask })).toBe(0);
    expect(asked).toHaveLength(1);
    expect(existsSync(pluginOf(user))).toBe(false);
    await user.run({ agents: ["claude"], yes: false }, user.io(80), { ask: () => Promise.resolve(true) });
    expect(installed(user)).toEqual(expectedFiles());
  });

  test("a dry run writes nothing; a second time there is nothing to do", async () => {
    const user = userOfClaude();
    const start = user.snapshot();
    const io = user.io();
    expect(await user.run({ agents: ["claude"], plugin: true, dryRun: true }, io)).toBe(0);
    expect(io.out()).toContain("+ hooks/register.tsx");
    expect(user.snapshot()).toEqual(start);
    expect(existsSync(user.places.home)).toBe(false);
    await install(user);
    const { ino } = statSync(pluginOf(user));
    const again = user.io();
    expect(await user.run({ agents: ["claude"], plugin: true }, again)).toBe(0);
    expect(again.out()).toContain("Nothing to change.");
    expect(statSync(pluginOf(user)).ino).toBe(ino);
  });

  test("each configuration folder that is there gets it, one with two names once", async () => {
    const user = userOfClaude();
    mkdirSync(join(user.folder, "work"));
    mkdirSync(join(user.folder, "other"));
    symlinkSync(join(user.folder, "work"), join(user.folder, "job"));
    user.environment.AGENT_SESSIONS_CLAUDE_DIRS = "Work=~/work, ~/job, ~/gone";
    user.environment.CLAUDE_CONFIG_DIR = join(user.folder, "other");
    await install(user);
    for (const config of [".claude", "work", "other"]) expect(installed(user, config)).toEqual(expectedFiles());
    expect(existsSync(join(user.folder, "gone"))).toBe(false);
    const io = user.io();
    expect(await user.run({ agents: ["claude"], plugin: true, remove: true }, io)).toBe(0);
    expect(["work", "other"].map((config) => existsSync(join(user.folder, config, "skills")))).toEqual([false, false]);
  });

  test("it is Claude Code's alone, and a Claude Code that is too old gets none", async () => {
    const user = userOfClaude();
    await expect(user.run({ agents: ["codex"], plugin: true }, user.io())).rejects.toMatchObject({ code: "usage" });
    const bin = join(user.folder, "bin");
    user.write(join(bin, "claude"), "#!/bin/sh\n", 0o755);
    user.environment.PATH = bin;
    const version = (text: string) => ({ askVersion: () => Promise.resolve(text) });
    const old = user.io();
    expect(await user.run({ agents: ["claude"], plugin: true }, old, version("2.1.286 (Claude Code)"))).toBe(1);
    expect(old.err()).toContain("2.1.287 or newer");
    expect(existsSync(pluginOf(user))).toBe(false);
    const asked: string[] = [];
    const ask = (question: string) => Promise.resolve(asked.push(question) < 0);
    await user.run({ agents: ["claude"], yes: false }, user.io(80), { ask, ...version("2.1.9 (Claude Code)") });
    expect(asked).toEqual([]);
    expect(await user.run({ agents: ["claude"], plugin: true }, user.io(), version("2.1.287 (Claude Code)"))).toBe(0);
    expect(installed(user)).toEqual(expectedFiles());
  });

  test("events that a Claude Code does not know are told of before they are in its settings", async () => {
    const user = userOfClaude();
    user.write(join(user.folder, "bin", "claude"), "#!/bin/sh\n", 0o755);
    user.environment.PATH = join(user.folder, "bin");
    const told = async (version: string) => {
      const io = user.io();
      await user.run({ agents: ["claude"], dryRun: true }, io, { askVersion: () => Promise.resolve(version) });
      return /^Note: .*$/m.exec(io.out())?.[0];
    };
    expect(await told("2.1.88 (Claude Code)")).toMatch(
      /2\.1\.88 does not know the hook event PermissionDenied: .*2\.1\.89 or/,
    );
    expect(await told("2.1.77 (Claude Code)")).toMatch(/events PermissionDenied, StopFailure and CwdChanged/);
    expect(await told("2.1.89 (Claude Code)")).toBeUndefined();
    expect(await told("no version")).toBeUndefined();
  });
});

describe("bringing it up to date", () => {
  test("the whole folder is replaced: what is gone goes, what the client wrote may go, the user's settings stay", async () => {
    const user = userOfClaude();
    await install(user);
    user.write(join(pluginOf(user), ".claude-plugin", "types", "claude-code.d.ts"), "declare module 'x';\n");
    user.write(join(pluginOf(user), "tsconfig.json"), "{}\n");
    user.write(join(pluginOf(user), ".DS_Store"), "\0");
    user.write(join(pluginOf(user), "README.md"), "my words\n");
    const assets = assetsOf("0.2.0");
    const io = user.io();
    expect(await user.run({ agents: ["claude"] }, io, { assets })).toBe(0);
    expect(io.out()).toMatch(/will be replaced: 0\.1\.0 by 0\.2\.0, with what somebody changed in README\.md/);
    expect(io.out()).toContain("  - core/texts.ts");
    expect(io.out()).toContain("  + core/words.ts");
    expect(io.out()).toContain("  ~ .claude-plugin/plugin.json");
    expect(io.out()).not.toContain("core/marks.ts");
    expect(installed(user)).toEqual(expectedFiles(join(assets, "claude-plugin")));
    expect(beside(user)).toEqual(["agent-sessions", "review"]);
  });

  test("a newer one of another installation stays, and --no-plugin leaves an older one", async () => {
    const user = userOfClaude();
    await install(user, assetsOf("0.10.0"));
    const start = user.snapshot();
    const io = user.io();
    expect(await user.run({ agents: ["claude"], plugin: true }, io)).toBe(0);
    expect(io.out()).toContain("0.10.0, newer than 0.1.0, and stays");
    const assets = assetsOf("0.11.0");
    expect(await user.run({ agents: ["claude"], plugin: false }, user.io(), { assets })).toBe(0);
    expect(user.snapshot()).toEqual(start);
  });

  test("a folder that was copied by hand, tests and all, is taken over; a file that is lost comes back", async () => {
    const user = userOfClaude();
    cpSync(SHIPPED, pluginOf(user), { recursive: true });
    await install(user);
    expect(installed(user)).toEqual(expectedFiles());
    rmSync(join(pluginOf(user), "core", "save.ts"));
    await user.run({ agents: ["claude"] }, user.io());
    expect(installed(user)).toEqual(expectedFiles());
  });
});

describe("removing it", () => {
  test("everything else is as it was, to the byte, and a folder that was made for it is gone", async () => {
    const user = userOfClaude();
    const start = user.snapshot();
    await install(user);
    user.write(join(pluginOf(user), ".claude-plugin", "types", "claude-code.d.ts"), "x");
    expect(await user.run({ agents: ["claude"], remove: true }, user.io())).toBe(0);
    expect(withoutBackups(user.snapshot())).toEqual(start);

    const bare = new User();
    await install(bare);
    expect(await bare.run({ agents: ["claude"], remove: true }, bare.io())).toBe(0);
    expect(withoutBackups(bare.snapshot())).toEqual({});
  });

  test("--plugin takes it alone, --no-plugin takes the hooks alone", async () => {
    const user = userOfClaude();
    await install(user);
    const settings = readFileSync(user.settings("claude"), "utf8");
    const io = user.io();
    expect(await user.run({ agents: ["claude"], remove: true, plugin: true }, io)).toBe(0);
    expect(io.out()).toContain("  - hooks/register.tsx");
    expect(readFileSync(user.settings("claude"), "utf8")).toBe(settings);
    expect(beside(user)).toEqual(["review"]);
    await install(user);
    expect(await user.run({ agents: ["claude"], remove: true, plugin: false }, user.io())).toBe(0);
    expect(readFileSync(user.settings("claude"), "utf8")).toBe('{"model": "x"}\n');
    expect(installed(user)).toEqual(expectedFiles());
  });

  test("what ships may be lost: the removal needs only what the installation noted", async () => {
    const user = userOfClaude();
    await install(user);
    const assets = scratchFolder();
    cpSync(join(ASSETS, "bin"), join(assets, "bin"), { recursive: true });
    expect(await user.run({ agents: ["claude"], remove: true }, user.io(), { assets })).toBe(0);
    expect(beside(user)).toEqual(["review"]);
    expect(await user.run({ agents: ["claude"] }, user.io(), { assets })).toBe(0);
    await expect(user.run({ agents: ["claude"], plugin: true }, user.io(), { assets })).rejects.toMatchObject({
      code: "unreadable",
    });
  });
});

describe("what is not ours", () => {
  const hostile: [string, (user: User, folder: string) => void, string][] = [
    ["a file", (user, folder) => user.write(folder, "mine"), "is not a folder"],
    ["an empty folder", (_user, folder) => mkdirSync(folder), "has no .claude-plugin/plugin.json"],
    [
      "another plugin",
      (user, folder) => user.write(join(folder, ".claude-plugin", "plugin.json"), '{"name": "agent-sessions-of-mine"}'),
      'but the plugin "agent-sessions-of-mine"',
    ],
    [
      "a plugin.json that is none",
      (user, folder) => user.write(join(folder, ".claude-plugin", "plugin.json"), '{"name": ["agent-sessions"]}'),
      "cannot be understood",
    ],
    [
      "a plugin.json without end",
      (user, folder) => user.write(join(folder, ".claude-plugin", "plugin.json"), "[".repeat(5 * 1024 * 1024)),
      "larger than any of ours",
    ],
    [
      "a skill",
      (user, folder) => user.write(join(folder, "SKILL.md"), "# Mine\n"),
      "has no .claude-plugin/plugin.json",
    ],
    ["a link to a checkout", (_user, folder) => symlinkSync(SHIPPED, folder), "is a symbolic link"],
    [
      "a FIFO in it",
      (_user, folder) => {
        cpSync(SHIPPED, folder, { recursive: true });
        spawnSync("mkfifo", [join(folder, "pipe")]);
      },
      "holds what is no plain file: pipe",
    ],
  ];

  test.each(hostile)("%s is refused, and neither set-up nor removal touches it", async (_name, make, reason) => {
    const user = userOfClaude();
    make(user, pluginOf(user));
    const isPlain = !_name.includes("FIFO");
    const start = isPlain ? user.snapshot() : {};
    const io = user.io();
    expect(await user.run({ agents: ["claude"], plugin: true }, io)).toBe(1);
    expect(io.err()).toContain(reason);
    expect(io.err()).toContain(pluginOf(user));
    expect(await user.run({ agents: ["claude"], remove: true }, user.io())).toBe(0);
    expect(lstatSync(pluginOf(user), { throwIfNoEntry: false })).toBeDefined();
    if (isPlain) expect(withoutBackups(user.snapshot())).toEqual(start);
  });

  const inOurs: [string, (user: User, folder: string) => void, string][] = [
    ["a file", (user, folder) => user.write(join(folder, "notes.md"), "mine"), "notes.md"],
    ["an empty folder", (_user, folder) => mkdirSync(join(folder, "mine")), "mine/"],
    [
      "a link among the typings",
      (user, folder) => {
        mkdirSync(join(folder, ".claude-plugin", "types"));
        symlinkSync(user.folder, join(folder, ".claude-plugin", "types", "up"));
      },
      "holds a symbolic link: .claude-plugin/types/up",
    ],
    [
      "a link in a file's place",
      (user, folder) => {
        rmSync(join(folder, "README.md"));
        symlinkSync(user.settings("claude"), join(folder, "README.md"));
      },
      "holds a symbolic link: README.md",
    ],
  ];

  test.each(inOurs)("%s that somebody put into ours keeps it", async (_name, make, reason) => {
    const user = userOfClaude();
    await install(user);
    make(user, pluginOf(user));
    const kept = readdirSync(pluginOf(user)).sort();
    const io = user.io();
    expect(await user.run({ agents: ["claude"], plugin: true }, io, { assets: assetsOf("0.3.0") })).toBe(1);
    expect(io.err()).toContain(reason);
    await user.run({ agents: ["claude"], remove: true }, user.io());
    expect(readdirSync(pluginOf(user)).sort()).toEqual(kept);
  });

  test("a folder above that leads nowhere, or is a file, is said", async () => {
    for (const make of [
      (user: User) => symlinkSync(join(user.folder, "gone"), join(user.folder, ".claude", "skills")),
      (user: User) => user.write(join(user.folder, ".claude", "skills"), "mine"),
    ]) {
      const user = new User();
      mkdirSync(join(user.folder, ".claude"));
      make(user);
      const io = user.io();
      expect(await user.run({ agents: ["claude"], plugin: true }, io)).toBe(1);
      expect(io.err()).toMatch(/leads nowhere|is not a folder/);
      // The hooks are set up nevertheless.
      expect(readFileSync(user.settings("claude"), "utf8")).toContain("record claude Stop");
    }
  });

  test("skills that lie elsewhere by the user's own link are used there", async () => {
    const user = new User();
    mkdirSync(join(user.folder, ".claude"));
    mkdirSync(join(user.folder, "dotfiles"));
    symlinkSync(join(user.folder, "dotfiles"), join(user.folder, ".claude", "skills"));
    await install(user);
    expect(readdirSync(join(user.folder, "dotfiles"))).toEqual(["agent-sessions"]);
    await user.run({ agents: ["claude"], remove: true }, user.io());
    expect(readdirSync(join(user.folder, "dotfiles"))).toEqual([]);
  });

  const asRoot = process.geteuid?.() === 0 ? test : test.skip;

  asRoot("another user's folder, file or link is refused (skipped unless root, who can make one)", async () => {
    for (const [make, reason] of [
      [(folder: string) => chownSync(folder, 12345, 12345), "belongs to another user"],
      [(folder: string) => chownSync(join(folder, "README.md"), 12345, 12345), "belongs to another user: README.md"],
      [(folder: string) => chownSync(dirname(folder), 12345, 12345), "lies in a folder that belongs to another user"],
      [
        (folder: string) => {
          renameSync(folder, `${folder}-moved`);
          symlinkSync(`${folder}-moved`, folder);
          lchownSync(folder, 12345, 12345);
        },
        "is a symbolic link",
      ],
    ] as const) {
      const user = userOfClaude();
      await install(user);
      make(pluginOf(user));
      const io = user.io();
      expect(await user.run({ agents: ["claude"], plugin: true }, io)).toBe(1);
      expect(io.err()).toContain(reason);
    }
  });

  test("a folder that was changed after the question is left alone", () => {
    const user = userOfClaude();
    const plan = planPlugins(user.place, "install");
    cpSync(SHIPPED, pluginOf(user), { recursive: true });
    writeFileSync(join(pluginOf(user), "README.md"), "mine");
    const start = user.snapshot();
    expect(applyPlugins(user.place, plan)).toMatchObject([
      { outcome: "failed", error: { code: "refused", message: expect.stringContaining("changed meanwhile") } },
    ]);
    expect(user.snapshot()).toEqual(start);
  });
});

describe("a process that is killed in the middle", () => {
  /** Kills the process at its n-th call of a function of `fs` that meets a path with this in it. */
  function killed(user: User, at: { call: string; count: number; path: string }, ...parameters: string[]): void {
    const killer = join(scratchFolder(), "killer.js");
    writeFileSync(
      killer,
      `const fs = require("fs"); const real = fs.${at.call}; let left = ${at.count};
       fs.${at.call} = (...given) => {
         if (given.slice(0, 2).some((each) => String(each).includes(${JSON.stringify(at.path)})) && --left === 0) {
           process.kill(process.pid, "SIGKILL");
           Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5000);
         }
         return real(...given);
       };`,
    );
    const run = spawnSync(process.execPath, ["-r", killer, bundle(), "setup", "claude", "--yes", ...parameters], {
      env: { ...user.environment, PATH: process.env.PATH, AGENT_SESSIONS_HOME: user.places.home },
      encoding: "utf8",
    });
    expect([at, run.signal]).toEqual([at, "SIGKILL"]);
  }

  test.each([
    ["before the first file", { call: "writeFileSync", count: 1, path: ".agent-sessions.new-" }],
    ["among the files", { call: "writeFileSync", count: 20, path: ".agent-sessions.new-" }],
    ["before it takes its place", { call: "renameSync", count: 1, path: ".agent-sessions.new-" }],
  ])("%s: there is no plugin, and the next run installs it whole", async (_name, at) => {
    const user = new User();
    killed(user, at, "--plugin");
    expect(existsSync(pluginOf(user))).toBe(false);
    await install(user);
    expect(installed(user)).toEqual(expectedFiles());
    expect(beside(user)).toEqual(["agent-sessions"]);
  });

  test("what it left goes with a removal too, with the folder that was made for it", async () => {
    const user = userOfClaude();
    rmSync(join(user.folder, ".claude", "skills"), { recursive: true });
    killed(user, { call: "renameSync", count: 1, path: ".agent-sessions.new-" }, "--plugin");
    const io = user.io();
    expect(await user.run({ agents: ["claude"], remove: true }, io)).toBe(0);
    expect(io.out()).toContain("interrupted installation");
    expect(existsSync(join(user.folder, ".claude", "skills"))).toBe(false);
  });

  test.each([
    ["before the old one goes aside", { call: "renameSync", count: 1, path: ".agent-sessions.old-" }, "old"],
    ["between old and new", { call: "renameSync", count: 1, path: ".agent-sessions.new-" }, "none"],
    ["before the old one is discarded", { call: "rmSync", count: 1, path: ".agent-sessions.old-" }, "new"],
  ])("an update, %s: a whole plugin or none, and the next run ends it", async (_name, at, there) => {
    const user = userOfClaude();
    const older = assetsOf("0.0.9");
    await install(user, older);
    killed(user, at);
    const whole = { old: expectedFiles(join(older, "claude-plugin")), new: expectedFiles(), none: undefined };
    expect(existsSync(pluginOf(user)) ? installed(user) : undefined).toEqual(whole[there as keyof typeof whole]);
    await install(user);
    expect(installed(user)).toEqual(expectedFiles());
    expect(beside(user)).toEqual(["agent-sessions", "review"]);
  });

  test("a removal before it is discarded: it is out of its place, and the next run clears it", async () => {
    const user = userOfClaude();
    await install(user);
    killed(user, { call: "rmSync", count: 1, path: ".agent-sessions.old-" }, "--remove", "--plugin");
    expect(existsSync(pluginOf(user))).toBe(false);
    await user.run({ agents: ["claude"], remove: true, plugin: true }, user.io());
    expect(beside(user)).toEqual(["review"]);
  });
});

/** The command as it is installed: one file, with what ships beside it. */
function bundle(): string {
  if (bundled !== undefined) return bundled;
  const folder = scratchFolder();
  bundled = join(folder, "build", "agent-sessions.js");
  buildSync({
    stdin: { contents: MAIN, resolveDir: resolve(__dirname, "..", "..", "src", "cli"), loader: "ts" },
    outfile: bundled,
    bundle: true,
    platform: "node",
    target: "node20",
    logLevel: "error",
  });
  cpSync(ASSETS, join(folder, "assets"), { recursive: true });
  return bundled;
}

let bundled: string | undefined;

const MAIN = `
import { setup } from "./verbs/setup";
import { processIo } from "./process-io";
const has = (option: string) => process.argv.includes(option);
const plugin = has("--plugin") ? { plugin: true } : {};
const askVersion = () => Promise.resolve(undefined);
setup({ agents: ["claude"], remove: has("--remove"), dryRun: false, yes: true, ...plugin }, processIo(), { askVersion })
  .then((code) => (process.exitCode = code), (error) => { console.error(error); process.exitCode = 1; });
`;
