import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { join, resolve } from "node:path";
import { snapshotSchema } from "../../src/cli/snapshot-schema";
import type { Places } from "../../src/store/places";
import { environmentOf } from "../environment";
import { scratchFolder, scratchPlaces } from "../scratch";

const COMMAND = resolve(__dirname, "../../build/agent-sessions.js");
const RECORD = resolve(__dirname, "../../assets/bin/record");

// Runs on what `npm run build` left.
const built = existsSync(COMMAND) ? describe : describe.skip;

function write(places: Places, id: string, state: string): void {
  const file = join(places.statusDirectory, `${id}.json`);
  writeFileSync(file, JSON.stringify({ session_id: id, state, ts: Date.now() / 1000 - 60 }));
  utimesSync(file, Date.now() / 1000 - 30, Date.now() / 1000 - 30);
}

function command(places: Places, ...argv: string[]) {
  const env = { PATH: process.env.PATH, HOME: places.home, ...environmentOf(places) };
  return spawnSync(process.execPath, [COMMAND, ...argv], { env, encoding: "utf8" });
}

function states(places: Places): string[] {
  const { stdout, stderr, status } = command(places, "list", "--json");
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  return snapshotSchema.parse(JSON.parse(stdout)).sessions.map(({ session_id, state }) => `${session_id} ${state}`);
}

built("the command as it is built", () => {
  test("says the same on the first run, on later ones without a change, and after one", () => {
    const places = scratchPlaces();
    write(places, "a", "working");
    write(places, "b", "idle");
    expect(states(places)).toEqual(["a working", "b idle"]);
    expect(states(places)).toEqual(["a working", "b idle"]);
    write(places, "b", "waiting");
    expect(states(places)).toEqual(["b waiting", "a working"]);
    expect(states(places)).toEqual(["b waiting", "a working"]);
    expect(command(places, "status").stdout).toBe("1 needs you, 1 working\n");
  });

  test("folds what waits in the inbox, on a run of any kind", () => {
    const places = scratchPlaces();
    states(places);
    const payload = JSON.stringify({ session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "Fix it" });
    execFileSync("/bin/sh", [RECORD, "claude", "UserPromptSubmit"], {
      input: payload,
      env: { PATH: process.env.PATH, AGENT_SESSIONS_HOME: places.home },
    });
    expect(command(places, "status").stdout).toBe("1 working\n");
    expect(readdirSync(join(places.home, "inbox"))).toEqual([]);
    expect(states(places)).toEqual(["s1 working"]);
  });

  test("records where there is no sh, and signals, as the programs of their own do", () => {
    const places = scratchPlaces();
    // Used before: what is recorded from now on is new.
    states(places);
    const env = { PATH: process.env.PATH, HOME: places.home, ...environmentOf(places) };
    const recorded = spawnSync(process.execPath, [COMMAND, "record", "claude", "Stop"], {
      env,
      input: JSON.stringify({ session_id: "s1", hook_event_name: "Stop" }),
      encoding: "utf8",
    });
    expect(recorded).toMatchObject({ status: 0, stdout: "", stderr: "" });
    const sent = command(places, "signal", "working", "--session", "job", "--agent", "script", "--json");
    expect(JSON.parse(sent.stdout)).toMatchObject({ aggregate: "working", sessions: [{ session_id: "job" }] });
    expect(states(places).sort()).toEqual(["job working", "s1 done"]);
  });

  test("what is wrong is said the same way whichever part meets it", () => {
    const places = scratchPlaces();
    writeFileSync(join(places.statusDirectory, "bad.json"), "{");
    utimesSync(join(places.statusDirectory, "bad.json"), 1, 1);
    const first = command(places, "list");
    const second = command(places, "list");
    expect(first.stderr).toMatch(/bad\.json: is not JSON/);
    expect(second.stderr).toBe(first.stderr);
    expect(command(places, "show", "nobody")).toMatchObject({ status: 3, stdout: "" });
    expect(command(places, "dance").status).toBe(2);
  });

  test("a reader that leaves early is no failure", () => {
    const places = scratchPlaces();
    for (let index = 0; index < 2000; index += 1) write(places, `session-${index}`, "idle");
    const script = `"${process.execPath}" "${COMMAND}" list --json | head -c 10; echo " $?"`;
    const env = { PATH: process.env.PATH, HOME: places.home, ...environmentOf(places) };
    const { stdout, stderr } = spawnSync("/bin/sh", ["-c", script], { env, encoding: "utf8" });
    expect({ stdout, stderr }).toEqual({ stdout: '{"schema_v 0\n', stderr: "" });
  });

  test("--watch --json gives a snapshot a change, and ends well when it is told to", async () => {
    const places = scratchPlaces();
    write(places, "a", "working");
    const env = { PATH: process.env.PATH, HOME: places.home, ...environmentOf(places) };
    const child = spawn(process.execPath, [COMMAND, "list", "--watch", "--json"], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let text = "";
    const seen = (state: string) =>
      new Promise<void>((found) => {
        const look = () => text.includes(`"state":"${state}"`) && found();
        child.stdout.on("data", look);
        look();
      });
    child.stdout.on("data", (chunk) => (text += String(chunk)));
    await seen("working");
    write(places, "a", "waiting");
    await seen("waiting");
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

  (hasTmux ? test : test.skip)(
    "--watch draws in place on a real terminal, and gives the screen back (needs tmux)",
    async () => {
      const places = scratchPlaces();
      write(places, "first-session", "working");
      const socket = join(scratchFolder(), "tmux");
      const tmux = (...argv: string[]) => execFileSync("tmux", ["-S", socket, ...argv], { encoding: "utf8" });
      const env = Object.entries({ HOME: places.home, ...environmentOf(places) }).map(
        ([name, value]) => `${name}=${value}`,
      );
      mkdirSync(places.home, { recursive: true });
      tmux("new-session", "-d", "-x", "60", "-y", "8", "/bin/sh");
      try {
        tmux(
          "send-keys",
          `clear; env '${env.join("' '")}' '${process.execPath}' '${COMMAND}' list --watch; echo left-$?`,
          "Enter",
        );
        const screen = async (holds: (text: string) => boolean) => {
          for (;;) {
            const text = tmux("capture-pane", "-p");
            if (holds(text)) return text;
            await new Promise((next) => setTimeout(next, 50));
          }
        };
        await screen((text) => /▶ +Working +first-session/.test(text) && text.includes("1 working"));
        write(places, "first-session", "waiting");
        const changed = await screen((text) => /! +Waiting +first-session/.test(text));
        expect(changed).not.toContain("Working");
        tmux("send-keys", "C-c");
        const after = await screen((text) => text.includes("left-0"));
        expect(after).not.toContain("first-session  claude");
      } finally {
        tmux("kill-server");
      }
    },
    20_000,
  );

  test("is two files without node_modules, of which the command says what it is", () => {
    const text = readFileSync(COMMAND, "utf8");
    expect(text.startsWith("#!/usr/bin/env node\n")).toBe(true);
    expect(
      readdirSync(resolve(COMMAND, ".."))
        .filter((name) => name.endsWith(".js"))
        .sort(),
    ).toEqual(["agent-sessions-run.js", "agent-sessions.js", "agent-signal.js"]);
  });
});
