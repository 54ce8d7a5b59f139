import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { ENVIRONMENT_FACTS } from "../../src/files/inbox-entry";
import { placesOf } from "../../src/store/places";
import { scratchFolder } from "../scratch";
import {
  canDropUser,
  canMount,
  entries,
  install,
  names,
  onlyEntry,
  run,
  SCRIPT,
  SHELLS,
  SILENT,
  testWhere,
  type RunOptions,
} from "./recorder";

/** More than a pipe holds: a recorder that leaves it unread makes the writer fail, which `run` reports. */
const LARGE = "x".repeat(300_000);

const HOSTILE = "$(touch pwned) `touch pwned` ; touch pwned & ' \" \\ * ? ~ %s -n é 日本 \t\r";

test("the shell linter has nothing to say", () => {
  const { status, stdout, error } = spawnSync("shellcheck", ["--shell", "sh", SCRIPT], { encoding: "utf8" });
  if (error === undefined) expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  else process.stderr.write("shellcheck is not installed: the script was not linted.\n");
});

test("the script is executable, and its list of facts is the decoder's", () => {
  expect(statSync(SCRIPT).mode & 0o111).toBe(0o111);
  const home = scratchFolder();
  const env = Object.fromEntries(ENVIRONMENT_FACTS.map((name) => [name, `of ${name}`]));
  run({ args: ["claude", "Stop"], cwd: home, env: { ...env, AGENT_SESSIONS_HOME: home, OTHER_API_KEY: "secret" } });
  const { entry, bytes } = onlyEntry(home);
  expect(entry.env).toEqual({ ...env, PWD: home, SSH_CONNECTION: "1" });
  expect(Object.keys(entry.env)).toEqual(["PWD", ...ENVIRONMENT_FACTS]);
  const written = Array.from(readFileSync(SCRIPT, "utf8").matchAll(/^fact ([A-Z_]+) "\$\{(\w+)/gm));
  expect(written.map(([, name]) => name)).toEqual(["PWD", ...ENVIRONMENT_FACTS]);
  for (const [, name, variable] of written) expect(variable).toBe(name);
  expect(bytes.toString()).not.toContain("secret");
});

describe.each(SHELLS.map((shell) => [shell.name, shell] as const))("under %s", (_, shell) => {
  test("values that a shell could run are kept as they are; several lines and long ones are left out", () => {
    const home = scratchFolder();
    const env = {
      TMUX: HOSTILE,
      KITTY_LISTEN_ON: "unix:/tmp/a b",
      TERM_PROGRAM: "two\nagent=other",
      CLAUDE_CONFIG_DIR: "x".repeat(1025),
      CLAUDE_PROJECT_DIR: "x".repeat(1024),
      // 600 characters, 1200 bytes.
      WARP_FOCUS_URL: "é".repeat(600),
      WT_SESSION: "",
      AGENT_SESSIONS_HOME: home,
    };
    expect(run({ shell, cwd: home, env })).toEqual(SILENT);
    expect(onlyEntry(home).entry).toMatchObject({ agent: "claude", parent: process.pid });
    expect(onlyEntry(home).entry.env).toEqual({
      PWD: home,
      TMUX: HOSTILE,
      KITTY_LISTEN_ON: "unix:/tmp/a b",
      CLAUDE_PROJECT_DIR: "x".repeat(1024),
    });
    expect(readdirSync(home)).toEqual(["inbox"]);
  });

  test.each<[string, string[], { agent: string; event?: string }, string]>([
    ["an agent that no file may be called", [HOSTILE, "Stop"], { agent: HOSTILE, event: "Stop" }, "agent-"],
    ["an agent that is a path", ["../../x"], { agent: "../../x" }, "agent-"],
    ["an agent with a dot in front", [".full"], { agent: ".full" }, "agent-"],
    ["an agent that looks like an option", ["-rf"], { agent: "-rf" }, "agent-"],
    ["a long agent", ["a".repeat(33)], { agent: "a".repeat(33) }, "agent-"],
    ["capitals", ["Claude"], { agent: "Claude" }, "agent-"],
    ["an agent with a dash", ["codex-cli"], { agent: "codex-cli" }, "codex-cli-"],
    ["an event that a shell could run", ["claude", HOSTILE], { agent: "claude", event: HOSTILE }, "claude-"],
    ["an event of two lines", ["claude", "Stop\nppid=1"], { agent: "claude" }, "claude-"],
    ["an empty event", ["claude", ""], { agent: "claude" }, "claude-"],
  ])("arguments: %s", (_name, args, told, prefix) => {
    const folder = scratchFolder();
    const home = join(folder, "home");
    const env = { AGENT_SESSIONS_HOME: home };
    expect(run({ shell, args, cwd: folder, env, input: "{}" })).toEqual(SILENT);
    const found = onlyEntry(home);
    expect(found.entry).toEqual({
      ...told,
      parent: process.pid,
      env: { PWD: folder },
      payload: "{}",
      truncated: false,
    });
    expect(found.name).toMatch(/^[a-z-]+-\d{7}-0$/);
    expect(found.name.startsWith(prefix)).toBe(true);
    expect(readdirSync(folder)).toEqual(["home"]);
  });

  test.each<[string, string[]]>([
    ["none", []],
    ["an empty agent", [""]],
    ["an agent of two lines", ["a\nb", "Stop"]],
    ["an agent that is too long to be told", ["a".repeat(1025)]],
  ])("nothing is left when nobody is told, but the payload is taken: %s", (_name, args) => {
    const home = scratchFolder();
    expect(run({ shell, args, input: LARGE, env: { AGENT_SESSIONS_HOME: home } })).toEqual(SILENT);
    expect(names(home)).toEqual({ visible: [], hidden: [] });
  });

  test.each<[string, Record<string, string>]>([
    ["an empty PATH", { PATH: "" }],
    ["a PATH to nowhere", { PATH: "/nonexistent:relative" }],
    ["a language of characters", { LANG: "C", LC_ALL: "C.UTF-8" }],
    ["odd variables of shells", { IFS: "a1/", ENV: "/nonexistent", CDPATH: "/", SHELLOPTS: "errexit:nounset:noglob" }],
    ["BASH_ENV and friends", { BASH_ENV: "/nonexistent", POSIXLY_CORRECT: "1", TMPDIR: "/nonexistent", PS4: "$(id)" }],
    // What the script calls its own things.
    [
      "its own names",
      { n: "9", nl: "x", head: "evil", level: "4", state: "written", given: "1", inbox: "/", name: "x" },
    ],
  ])("the environment is odd: %s", (_name, env) => {
    const home = scratchFolder();
    const absolute = spawnSync("sh", ["-c", `command -v ${shell.argv[0]}`], { encoding: "utf8" }).stdout.trim();
    const options: RunOptions = { shell: { ...shell, argv: [absolute, ...shell.argv.slice(1)] }, input: "{}" };
    expect(run({ ...options, env: { ...env, AGENT_SESSIONS_HOME: home } })).toEqual(SILENT);
    expect(onlyEntry(home).entry).toMatchObject({ agent: "claude", payload: "{}" });
  });

  test("no program of the PATH stands in for the system's", () => {
    const folder = scratchFolder();
    for (const name of ["tee", "mv", "cat", "head", "rm", "mkdir"]) {
      writeFileSync(join(folder, name), `#!/bin/sh\ntouch '${folder}/ran-${name}'\necho said\nexit 3\n`, {
        mode: 0o755,
      });
    }
    const env = { AGENT_SESSIONS_HOME: join(folder, "home"), PATH: `${folder}:${process.env.PATH}` };
    expect(run({ shell, env, input: "{}" })).toEqual(SILENT);
    expect(onlyEntry(join(folder, "home")).entry.payload).toBe("{}");
    expect(readdirSync(folder).filter((name) => name.startsWith("ran-"))).toEqual([]);
  });

  test.each(["0", "0777", "0277"])("whatever the umask, folders are 0700 and files 0600: %s", (umask) => {
    const home = join(scratchFolder(), "home");
    const around = `umask ${umask}; exec "$@"`;
    expect(run({ shell, around, input: "{}", env: { AGENT_SESSIONS_HOME: home } })).toEqual(SILENT);
    expect(onlyEntry(home).mode).toBe(0o600);
    expect([home, join(home, "inbox")].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  });
});

describe("where the inbox is", () => {
  test.each<[string, (folder: string) => { env: Record<string, string>; home: string }]>([
    ["the home asked for", (folder) => ({ env: { AGENT_SESSIONS_HOME: `${folder}/h` }, home: `${folder}/h` })],
    ["spaces in it", (folder) => ({ env: { AGENT_SESSIONS_HOME: `${folder}/a b` }, home: `${folder}/a b` })],
    ["blanks around it", (folder) => ({ env: { AGENT_SESSIONS_HOME: ` ${folder}/h\t` }, home: `${folder}/h` })],
    ["a tilde", (folder) => ({ env: { AGENT_SESSIONS_HOME: "~/h" }, home: `${folder}/user/h` })],
    ["only a tilde", (folder) => ({ env: { AGENT_SESSIONS_HOME: "~" }, home: `${folder}/user` })],
    ["somebody's tilde is a name", (folder) => ({ env: { AGENT_SESSIONS_HOME: "~x/h" }, home: `${folder}/user/~x/h` })],
    ["relative to the user's home", (folder) => ({ env: { AGENT_SESSIONS_HOME: "h" }, home: `${folder}/user/h` })],
    ["a leading dash", (folder) => ({ env: { AGENT_SESSIONS_HOME: "-p h" }, home: `${folder}/user/-p h` })],
    ["no drives here", (folder) => ({ env: { AGENT_SESSIONS_HOME: "C:/h" }, home: `${folder}/user/C:/h` })],
    [
      "signs of shells",
      (folder) => ({ env: { AGENT_SESSIONS_HOME: "$(id)*'\"\\" }, home: `${folder}/user/$(id)*'"\\` }),
    ],
    ["none asked for", (folder) => ({ env: {}, home: `${folder}/user/.agent-sessions` })],
    [
      "a blank one asked for",
      (folder) => ({ env: { AGENT_SESSIONS_HOME: " " }, home: `${folder}/user/.agent-sessions` }),
    ],
  ])("the same place as everywhere: %s", (_name, given) => {
    for (const shell of SHELLS) {
      const folder = scratchFolder();
      const { env, home } = given(folder);
      const all = { HOME: join(folder, "user"), ...env };
      expect(placesOf(all).home).toBe(home);
      expect(run({ shell, env: all, cwd: folder, input: "{}" })).toEqual(SILENT);
      expect(onlyEntry(home).entry.payload).toBe("{}");
    }
  });

  test("an installed copy finds it beside itself, from anywhere and without a HOME", () => {
    for (const shell of SHELLS) {
      const home = join(scratchFolder(), "my home");
      const script = install(home);
      expect(run({ shell, script, cwd: "/", input: "1" })).toEqual(SILENT);
      expect(run({ shell, script: "./record", cwd: join(home, "bin"), input: "2" })).toEqual(SILENT);
      expect(run({ shell, script: "record", cwd: join(home, "bin"), input: "3" })).toEqual(SILENT);
      expect(run({ shell, script: "../my home/bin/record", cwd: home, input: "4" })).toEqual(SILENT);
      const other = join(home, "other");
      expect(run({ shell, script, env: { AGENT_SESSIONS_HOME: other, HOME: home }, input: "5" })).toEqual(SILENT);
      expect(entries(home).map(({ entry }) => entry.payload)).toEqual(["1", "2", "3", "4"]);
      expect(onlyEntry(other).entry.payload).toBe("5");
    }
  });

  test("a copy in our usual home makes the inbox again; one elsewhere does not guess", () => {
    const user = scratchFolder();
    for (const [home, expected] of [
      [join(user, ".agent-sessions"), join(user, ".agent-sessions")],
      [join(user, "work"), join(user, "fallback", ".agent-sessions")],
    ] as const) {
      const script = install(home);
      rmSync(join(home, "inbox"), { recursive: true });
      expect(run({ script, env: { HOME: join(user, "fallback") }, input: "{}" })).toEqual(SILENT);
      expect(onlyEntry(expected).entry.payload).toBe("{}");
    }
    expect(existsSync(join(user, "work", "inbox"))).toBe(false);
  });
});

describe("it cannot be left: nothing is printed, the status is 0, the payload is taken", () => {
  const cases: [string, (folder: string) => Record<string, string>][] = [
    ["no HOME", () => ({})],
    ["an empty HOME", () => ({ HOME: "" })],
    ["a HOME that is relative", () => ({ HOME: "user" })],
    ["a HOME that is a file", (folder) => ({ HOME: join(folder, "file") })],
    ["a home that is a file", (folder) => ({ AGENT_SESSIONS_HOME: join(folder, "file") })],
    ["an inbox that is a file", (folder) => ({ AGENT_SESSIONS_HOME: join(folder, "inbox-is-a-file") })],
    ["an inbox that is a link to nowhere", (folder) => ({ AGENT_SESSIONS_HOME: join(folder, "inbox-is-a-link") })],
    ["a home in a device", () => ({ AGENT_SESSIONS_HOME: "/dev/null" })],
    ["a home in what is no file system to write to", () => ({ AGENT_SESSIONS_HOME: "/proc/nothing" })],
    ["a name that is too long", () => ({ AGENT_SESSIONS_HOME: `/${"x".repeat(5000)}` })],
  ];

  test.each(cases)("%s", (_name, given) => {
    for (const shell of SHELLS) {
      const folder = scratchFolder();
      writeFileSync(join(folder, "file"), "");
      mkdirSync(join(folder, "inbox-is-a-file"));
      writeFileSync(join(folder, "inbox-is-a-file", "inbox"), "");
      mkdirSync(join(folder, "inbox-is-a-link"));
      symlinkSync("nowhere/at/all", join(folder, "inbox-is-a-link", "inbox"));
      expect(run({ shell, cwd: folder, env: given(folder), input: LARGE })).toEqual(SILENT);
      expect(readdirSync(folder).sort()).toEqual(["file", "inbox-is-a-file", "inbox-is-a-link"]);
    }
  });

  const asNobody = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"];

  testWhere(canDropUser, "setpriv and root")("an inbox that may not be written to, or entered", () => {
    for (const shell of SHELLS) {
      for (const mode of [0o500, 0o400, 0o000]) {
        const home = scratchFolder();
        chmodSync(home, 0o755);
        mkdirSync(join(home, "inbox"));
        chownSync(join(home, "inbox"), 65534, 65534);
        chmodSync(join(home, "inbox"), mode);
        const env = { AGENT_SESSIONS_HOME: home };
        expect(run({ shell, prefix: asNobody, env, cwd: "/", input: LARGE })).toEqual(SILENT);
        expect(names(home)).toEqual({ visible: [], hidden: [] });
      }
    }
  });

  testWhere(canDropUser, "setpriv and root")("a home that may not be written to has no inbox made in it", () => {
    const home = scratchFolder();
    chmodSync(home, 0o755);
    const env = { AGENT_SESSIONS_HOME: home };
    expect(run({ prefix: asNobody, env, cwd: "/", input: LARGE })).toEqual(SILENT);
    expect(readdirSync(home)).toEqual([]);
  });

  testWhere(canDropUser, "setpriv and root")("an inbox of another user gets nothing, whatever its mode", () => {
    for (const shell of SHELLS) {
      const home = scratchFolder();
      chmodSync(home, 0o755);
      mkdirSync(join(home, "inbox"));
      chmodSync(join(home, "inbox"), 0o777);
      const env = { AGENT_SESSIONS_HOME: home };
      expect(run({ shell, prefix: asNobody, env, cwd: "/", input: LARGE })).toEqual(SILENT);
      expect(names(home)).toEqual({ visible: [], hidden: [] });
    }
  });

  describe("the disk", () => {
    const mounted: string[] = [];
    function smallDisk(options: string): string {
      const home = scratchFolder();
      expect(spawnSync("mount", ["-t", "tmpfs", "-o", `mode=700,${options}`, "none", home]).status).toBe(0);
      mounted.push(home);
      mkdirSync(join(home, "inbox"), { mode: 0o700 });
      return home;
    }

    afterEach(() => {
      for (const path of mounted.splice(0)) spawnSync("umount", [path]);
    });

    testWhere(canMount, "mounts")(
      "is full: nothing is left behind, and the next one arrives when there is room",
      () => {
        for (const shell of SHELLS) {
          const home = smallDisk("size=64k");
          spawnSync("sh", ["-c", 'cat /dev/zero >"$1/filler" 2>/dev/null', "sh", home]);
          const env = { AGENT_SESSIONS_HOME: home };
          for (let n = 0; n < 3; n++) expect(run({ shell, env, input: LARGE })).toEqual(SILENT);
          expect(run({ shell, env, args: ["codex", "notify", "{}"] })).toEqual(SILENT);
          expect(names(home)).toEqual({ visible: [], hidden: [] });
          rmSync(join(home, "filler"));
          expect(run({ shell, env, input: "{}" })).toEqual(SILENT);
          expect(onlyEntry(home).entry.payload).toBe("{}");
        }
      },
    );

    testWhere(canMount, "mounts")("fills up on the way: what arrived counts, as a cut one", () => {
      for (const shell of SHELLS) {
        const home = smallDisk("size=64k");
        const payload = `{"session_id":"s","x":"${LARGE}"}`;
        expect(run({ shell, env: { AGENT_SESSIONS_HOME: home }, input: payload })).toEqual(SILENT);
        const { entry } = onlyEntry(home);
        expect(entry.truncated).toBe(true);
        expect(entry.payload.length).toBeGreaterThan(10_000);
        expect(payload.startsWith(entry.payload)).toBe(true);
      }
    });

    testWhere(canMount, "mounts")("has no more files", () => {
      const home = smallDisk("size=1m,nr_inodes=3");
      writeFileSync(join(home, "last"), "");
      expect(run({ env: { AGENT_SESSIONS_HOME: home }, input: LARGE })).toEqual(SILENT);
      expect(names(home)).toEqual({ visible: [], hidden: [] });
    });

    testWhere(canMount, "mounts")("is read-only", () => {
      const home = smallDisk("size=64k");
      expect(spawnSync("mount", ["-o", "remount,ro", home]).status).toBe(0);
      expect(run({ env: { AGENT_SESSIONS_HOME: home }, input: LARGE })).toEqual(SILENT);
      expect(names(home)).toEqual({ visible: [], hidden: [] });
    });
  });
});
