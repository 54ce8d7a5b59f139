import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { oftenBar } from "../../../src/cli/bars/often-bars";
import { runningCommand } from "../../../src/cli/bars/running-command";
import { swiftbar } from "../../../src/cli/verbs/swiftbar";
import type { Environment, Places } from "../../../src/store/places";
import { ReadMarksFile } from "../../../src/store/read-marks";
import { cliIo } from "../../cli-io";
import { scratchPlaces } from "../../scratch";
import { NOW } from "./snapshots";

/** A machine with one session that waits and one that works. */
function machine(): Places {
  const places = scratchPlaces();
  new ReadMarksFile(places.home).load(NOW - 100_000);
  write(places, "a1", { state: "waiting", title: "Clean 100% of #12" });
  write(places, "b1", { state: "working" });
  return places;
}

function write(places: Places, id: string, fields: Record<string, unknown>): void {
  const text = JSON.stringify({ session_id: id, ts: NOW - 60, ...fields });
  writeFileSync(join(places.statusDirectory, `${id}.json`), text);
}

async function bar(places: Places, argv: string[], environment: Environment = {}) {
  const io = cliIo(places, { clock: () => NOW * 1000, environment });
  const code = await oftenBar(argv)?.(io);
  return { code, out: io.out(), err: io.err() };
}

test.each<[string[], string]>([
  [["tmux"], "#[fg=red,bold]1 needs you#[default], #[fg=blue]1 working#[default]\n"],
  [["tmux", "--short"], "#[fg=red,bold]!1#[default] #[fg=blue]▶1#[default]\n"],
  [["prompt"], "1 needs you, 1 working\n"],
  [["prompt", "--shell=zsh"], "%B%F{red}1 needs you%f%b, %F{blue}1 working%f\n"],
  [["prompt", "--title"], "1 needs you, 1 working: Clean 100％ of #12\n"],
  [["prompt", "--shell", "zsh", "--title"], "%B%F{red}1 needs you%f%b, %F{blue}1 working%f: Clean 100%% of #12\n"],
  [
    ["prompt", "--title", "--shell", "fish", "--short"],
    "\u001b[1;31m!1\u001b[0m \u001b[34m▶1\u001b[0m: Clean 100% of #12\n",
  ],
])("%j is a line of its own", async (argv, out) => {
  expect(await bar(machine(), argv)).toEqual({ code: 0, out, err: "" });
});

test.each([["tmux"], ["prompt"], ["prompt", "--shell", "bash"]])("%j … without colors by NO_COLOR", async (...argv) => {
  const { out } = await bar(machine(), argv, { NO_COLOR: "1" });
  expect(out).toBe("1 needs you, 1 working\n");
});

test("a prompt on a dumb terminal has no colors", async () => {
  expect((await bar(machine(), ["prompt", "--shell", "zsh"], { TERM: "dumb" })).out).toBe("1 needs you, 1 working\n");
});

test("nothing up is no output at all and no failure; --always shows zero", async () => {
  const places = scratchPlaces();
  for (const verb of ["tmux", "prompt"]) {
    expect(await bar(places, [verb])).toEqual({ code: 0, out: "", err: "" });
    expect((await bar(places, [verb, "--always"], { NO_COLOR: "1" })).out).toBe("0 need you\n");
  }
});

test("a broken file shows in each, and nothing goes to stderr", async () => {
  const places = machine();
  write(places, "c|1", { state: 5 });
  expect((await bar(places, ["prompt"])).out).toBe("1 needs you, 1 working, 1 problem\n");
  for (const verb of ["tmux", "waybar", "swiftbar", "alfred"]) {
    const { code, out, err } = await bar(places, [verb]);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/1 problem/i);
  }
});

test.each<[string, string | RegExp]>([
  ["tmux", "#[fg=yellow]sessions cannot be read#[default]\n"],
  ["prompt", "sessions cannot be read\n"],
  ["waybar", /"text":"sessions cannot be read".*"tooltip":"No entry \| &lt;here&gt;"/],
  ["swiftbar", /\nSessions Cannot Be Read \|.*\nNo entry │ <here> \|/],
  ["alfred", /"title":"Sessions Cannot Be Read","subtitle":"No entry \| <here>"/],
])("%s says that sessions cannot be read: bars hide a command that fails", async (verb, out) => {
  const io = cliIo(scratchPlaces(), {
    clock: () => {
      throw new Error("No\nentry | <here>");
    },
  });
  expect(await oftenBar([verb])?.(io)).toBe(0);
  expect(io.err()).toBe("");
  if (typeof out === "string") expect(io.out()).toBe(out);
  else expect(io.out()).toMatch(out);
});

test("waybar and alfred print JSON on one line", async () => {
  for (const argv of [["waybar", "--always"], ["alfred"], ["alfred", "--needs-me"]]) {
    const { out } = await bar(machine(), argv);
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(out)).toBeInstanceOf(Object);
  }
});

test("swiftbar writes for whoever runs it", async () => {
  const places = machine();
  const menu = async (environment: Environment) => (await bar(places, ["swiftbar"], environment)).out;
  expect(await menu({})).toContain("sfimage=");
  expect(await menu({ SWIFTBAR: "1", XBARDarkMode: "true" })).toContain("sfimage=");
  expect(await menu({ XBARDarkMode: "false" })).not.toMatch(/sfimage=|tooltip=|symbolize=/);
});

test("swiftbar's actions call this very command, with its runtime, by absolute paths", async () => {
  expect(runningCommand({ execPath: "/n/node", argv: ["node", "/c/agent-sessions.js", "swiftbar"] })).toEqual([
    "/n/node",
    "/c/agent-sessions.js",
  ]);
  const io = cliIo(machine(), { clock: () => NOW * 1000 });
  await swiftbar({ countUnread: false }, io, ["/n/node", "/c/agent-sessions.js"]);
  expect(io.out()).toContain("bash=/n/node param1=/c/agent-sessions.js param2=focus param3=-- param4=claude:a1");
});

test.each([
  [["list"]],
  [["prompt", "--shell"]],
  [["prompt", "--shell", "cmd"]],
  [["prompt", "--shell=zsh=x"]],
  [["prompt", "--shell", "zsh", "--shell", "bash"]],
  [["tmux", "--help"]],
  [["tmux", "--shell", "zsh"]],
  [["alfred", "query"]],
  [[]],
])("%j is left to the argument parser", (argv) => {
  expect(oftenBar(argv)).toBeUndefined();
});
