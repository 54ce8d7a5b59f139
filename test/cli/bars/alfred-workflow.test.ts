import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programFolders } from "../../../src/views/agents/program-folders";
import { scratchFolder } from "../../scratch";
import { parsePlist, type Plist } from "./plist";

const PROJECT = join(__dirname, "../../..");
const WORKFLOW = join(PROJECT, "assets/alfred");
const FINDER = join(WORKFLOW, "bin/agent-sessions");

type Dict = { [key: string]: Plist };

function dict(value: Plist | undefined): Dict {
  if (typeof value !== "object" || Array.isArray(value)) throw new Error("not a dictionary");
  return value;
}

function dicts(value: Plist | undefined): Dict[] {
  if (!Array.isArray(value)) throw new Error("not an array");
  return value.map(dict);
}

const workflow = dict(parsePlist(readFileSync(join(WORKFLOW, "info.plist"), "utf8")));
const objects = dicts(workflow.objects);

function ofType(type: string): Dict[] {
  return objects.filter((each) => each.type === `alfred.workflow.${type}`);
}

function scriptOf(object: Dict | undefined): string {
  return String(dict(object?.config).script);
}

describe("the workflow's description", () => {
  test("the reader of property lists is strict", () => {
    const whole = (body: string) =>
      `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">${body}</plist>`;
    expect(parsePlist(whole("<dict><key>a</key><string>&lt;b</string></dict>"))).toEqual({ a: "<b" });
    for (const bad of ["", "<dict><key>a</key></dict>", "<map/>", "<string>a & b</string>", "<true/><true/>"])
      expect(() => parsePlist(whole(bad))).toThrow();
  });

  test("says what it is, in the version of this project", () => {
    const { version }: { version: string } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8"));
    expect(workflow).toMatchObject({
      name: "Agent Sessions",
      bundleid: "agent-sessions.alfred",
      disabled: false,
      version,
    });
    expect(existsSync(join(WORKFLOW, "icon.png"))).toBe(true);
  });

  test("every object has an id and a place, and every connection two ends", () => {
    const ids = objects.map(({ uid }) => String(uid));
    expect(new Set(ids).size).toBe(objects.length);
    expect(Object.keys(dict(workflow.uidata)).sort()).toEqual([...ids].sort());
    const ends = Object.entries(dict(workflow.connections)).flatMap(([from, to]) => [
      from,
      ...dicts(to).map(({ destinationuid }) => String(destinationuid)),
    ]);
    expect(ids).toEqual(expect.arrayContaining(ends));
    expect(new Set(ends).size).toBe(objects.length);
  });

  test("its keywords are the user's to change, and the hotkey is theirs to set", () => {
    const variables = new Map(
      dicts(workflow.userconfigurationconfig).map((field) => [String(field.variable), dict(field.config).default]),
    );
    const keywords = ofType("input.scriptfilter").map(({ config }) => String(dict(config).keyword));
    expect(keywords.map((keyword) => variables.get(/^\{var:(\w+)\}$/.exec(keyword)?.[1] ?? ""))).toEqual([
      "agents",
      "needsme",
    ]);
    expect(variables.get("agent_sessions_command")).toBe("");
    expect(ofType("trigger.hotkey").map(({ config }) => dict(config).hotkey)).toEqual([0]);
  });

  test("Alfred filters, and a row's arguments come as arguments, with each key that a row has", () => {
    const [run] = ofType("action.script");
    for (const filter of ofType("input.scriptfilter")) {
      expect(dict(filter.config)).toMatchObject({ alfredfiltersresults: true, scriptargtype: 1, type: 0 });
      const links = dicts(dict(workflow.connections)[String(filter.uid)]);
      // None, command and option.
      expect(links.map(({ modifiers }) => modifiers)).toEqual([0, 1048576, 524288]);
      expect(new Set(links.map(({ destinationuid }) => destinationuid))).toEqual(new Set([run?.uid]));
    }
    expect(dict(run?.config)).toMatchObject({ scriptargtype: 1, type: 0 });
    for (const object of objects) expect(String(dict(object.config).script ?? "")).not.toContain("{query}");
  });
});

describe("its scripts", () => {
  let home: string;

  beforeEach(() => {
    home = scratchFolder();
  });

  /** A command that tells its arguments, a line each. */
  function install(folder: string, interpreter = "/bin/sh", name = "agent-sessions"): void {
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, name),
      `#!${interpreter}\necho "${folder}"\nfor each in "$@"; do printf '%s|\\n' "$each"; done\n`,
    );
    chmodSync(join(folder, name), 0o755);
  }

  function find(
    argv: readonly string[],
    environment: Record<string, string> = {},
    shell: readonly string[] = ["/bin/sh"],
  ) {
    const [program = "", ...own] = shell;
    return spawnSync(program, [...own, FINDER, ...argv], {
      encoding: "utf8",
      env: { HOME: home, PATH: "/usr/bin:/bin", ...environment },
    });
  }

  const ownFolders = programFolders("/home/of/user").filter((folder) => folder.startsWith("/home/of/user"));

  test.each(ownFolders)("find the command in %s, though the PATH is a launcher's", (folder) => {
    const own = folder.replace("/home/of/user", home);
    install(own);
    expect(find(["focus", "--", "a b"])).toMatchObject({
      status: 0,
      stdout: `${own}\nfocus|\n--|\na b|\n`,
      stderr: "",
    });
  });

  test("look in every folder where a launcher of ours looks", () => {
    const text = readFileSync(FINDER, "utf8");
    for (const folder of programFolders("$HOME")) expect(text).toContain(folder);
  });

  test.each([".nvm/versions/node/v22.1.0/bin", ".local/share/fnm/node-versions/v20.19.0/installation/bin"])(
    "find it under a version manager: %s",
    (folder) => {
      install(join(home, folder));
      expect(find([]).stdout).toBe(`${join(home, folder)}\n`);
    },
  );

  test("of several versions take a late one that has the command", () => {
    install(join(home, ".nvm/versions/node/v9.1.0/bin"));
    install(join(home, ".nvm/versions/node/v22.1.0/bin"));
    mkdirSync(join(home, ".nvm/versions/node/v24.1.0/bin"), { recursive: true });
    expect(find([]).stdout).toContain("v22.1.0");
  });

  test("the runtime is found beside the command", () => {
    const folder = join(home, "a folder/bin");
    install(folder, "/usr/bin/env runtime-of-a-test");
    writeFileSync(join(folder, "runtime-of-a-test"), '#!/bin/sh\nexec /bin/sh "$@"\n');
    chmodSync(join(folder, "runtime-of-a-test"), 0o755);
    const { stdout, stderr } = find(["alfred"], { agent_sessions_command: join(folder, "agent-sessions") });
    expect({ stdout, stderr }).toEqual({ stdout: `${folder}\nalfred|\n`, stderr: "" });
  });

  test("a command that the user named comes first, with ~ as the home folder", () => {
    install(join(home, ".local/bin"));
    install(join(home, "my own"));
    expect(find([], { agent_sessions_command: "~/my own/agent-sessions" }).stdout).toBe(`${join(home, "my own")}\n`);
    expect(find(["alfred"], { agent_sessions_command: "~/nowhere" }).stdout).toContain(
      "in the workflow's configuration",
    );
  });

  test("a missing command is a row of the list, and a message to an action", () => {
    const { status, stdout } = find(["alfred"]);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      items: [
        {
          title: "agent-sessions Was Not Found",
          subtitle: "Install the command, or name it in the workflow's configuration.",
          valid: false,
        },
      ],
    });
    expect(find(["read", "--", "x"]).stdout).toMatch(/^agent-sessions was not found\. /);
  });

  test.each([
    ["/bin/bash", "--posix"],
    ["busybox", "sh"],
  ])("run in %s %s too (skipped without it)", (...shell) => {
    if (spawnSync(shell[0] ?? "", [...shell.slice(1), "-c", "exit 0"]).status !== 0) return;
    install(join(home, ".local/bin"));
    expect(find(["focus", "--", "a b"], {}, shell).stdout).toBe(`${join(home, ".local/bin")}\nfocus|\n--|\na b|\n`);
  });

  test("as Alfred runs them, whatever an id holds arrives as one argument", () => {
    install(join(home, ".local/bin"));
    const as = (script: string, ...argv: string[]) =>
      spawnSync("/bin/bash", ["-c", script, "bash", ...argv], {
        cwd: WORKFLOW,
        encoding: "utf8",
        env: { HOME: home, PATH: "/usr/bin:/bin" },
      }).stdout;
    const own = `${join(home, ".local/bin")}\n`;
    const hostile = "claude:$(touch x) `id` \"'\\ ; | & *\n-e";
    expect(as(scriptOf(ofType("action.script")[0]), "focus", "--", hostile)).toBe(`${own}focus|\n--|\n${hostile}|\n`);
    expect(ofType("input.scriptfilter").map((filter) => as(scriptOf(filter), "typed"))).toEqual([
      `${own}alfred|\n`,
      `${own}alfred|\n--needs-me|\n`,
    ]);
  });

  test("pass shellcheck (skipped without it)", () => {
    if (spawnSync("shellcheck", ["--version"]).status !== 0) return;
    expect(spawnSync("shellcheck", ["-s", "sh", FINDER], { encoding: "utf8" }).stdout).toBe("");
  });
});
