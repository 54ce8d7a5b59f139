import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "../scratch";
import { DOINGS, endingFaults, type Doing } from "./doings";
import { drawn, Tally } from "./fault-table";
import { run, type Call } from "./faulted-command";
import { SmallDisk, testWithDisks } from "./small-disk";
import { World } from "./world";

/** The rights of somebody who is not root. */
const NOBODY = 65534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];

const canDropUser = spawnSync("setpriv", [...AS_NOBODY.slice(1), "true"]).status === 0;

/** A test that needs a second user; where nobody can be one, the skipped line says so. */
function testAsNobody(name: string, work: () => Promise<void>, timeout: number): void {
  if (canDropUser) test(name, work, timeout);
  else test.skip(`${name} (needs setpriv and root)`, work);
}

/** Every file with its text. */
function textsIn(world: World): string {
  return JSON.stringify(world.files().map((path) => [path, readFileSync(join(world.folder, path), "latin1")]));
}

/** What is wrong when nothing can be written: it is said, and nothing has changed. */
function refusedFaults(doing: Doing, world: World, call: Call): string[] {
  const before = textsIn(world);
  const ended = run(call);
  const changed = textsIn(world) === before ? [] : ["something was written"];
  return [...changed, ...endingFaults(doing, world, ended)];
}

/** What is wrong once it can be written again. */
function againFaults(doing: Doing, world: World, call: Call): string[] {
  const ended = run(call);
  const isDone = doing.isDone(world, ended) ? [] : [`not done: ended with ${ended.code}, ${ended.err}`];
  return [...isDone, ...doing.faults(world)];
}

/** The doings that are tried in this run. */
const tried = (name: string) => drawn(DOINGS, 2, name);

testWithDisks(
  "a disk that became read-only: the reason is said, nothing changes, and it goes on once it is not",
  async () => {
    const tally = new Tally("read-only disk", { short: 4, whole: 18 });
    for (const doing of tried(tally.what)) {
      if (!tally.hasTime) break;
      const disk = new SmallDisk();
      try {
        const world = await doing.fill(new World(join(disk.path, "world")));
        disk.setReadOnly(true);
        tally.note(doing.name, { corrupt: refusedFaults(doing, world, doing.call(world)) });
        disk.setReadOnly(false);
        tally.note(`${doing.name}, writable again`, { corrupt: againFaults(doing, world, doing.call(world)) });
        tally.rounds += 1;
      } finally {
        disk.remove();
      }
    }
    tally.finish();
  },
  600_000,
);

/** Gives every folder of a world these rights, and everything to the other user. */
function restrict(world: World, mode: number): void {
  spawnSync("chown", ["-R", `${NOBODY}:${NOBODY}`, world.folder]);
  const folders = [world.folder];
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
    }
  }
  for (const folder of folders) {
    // What others must not look into stays so.
    const isPrivate = (statSync(folder).mode & 0o077) === 0;
    chmodSync(folder, isPrivate ? mode & 0o700 : mode);
  }
}

testAsNobody(
  "folders that their user may not write to: the reason is said, nothing changes, and it goes on once he may",
  async () => {
    const tally = new Tally("folders without the right to write", { short: 4, whole: 18 });
    for (const doing of tried(tally.what)) {
      if (!tally.hasTime) break;
      const world = await doing.fill(new World());
      const call = { ...doing.call(world), prefix: AS_NOBODY, cwd: "/" };
      restrict(world, 0o555);
      tally.note(doing.name, { corrupt: refusedFaults(doing, world, call) });
      restrict(world, 0o755);
      tally.note(`${doing.name}, writable again`, { corrupt: againFaults(doing, world, call) });
      tally.rounds += 1;
    }
    tally.finish();
  },
  600_000,
);

/** Homes that are none: not told, not there, somebody else's, a file. */
const HOMES: readonly (string | undefined)[] = [undefined, "/nonexistent/home", "/", "/etc/passwd", ""];

const TOLD = JSON.stringify({ session_id: "s", hook_event_name: "UserPromptSubmit", prompt: "x" });

/** What is run without a home; what a hook of an agent runs says nothing. */
const HOMELESS: readonly (Omit<Call, "environment"> & { isHook?: true })[] = [
  { program: "record", argv: ["claude", "UserPromptSubmit"], stdin: TOLD, isHook: true },
  { program: "agent-sessions", argv: ["record", "claude", "UserPromptSubmit"], stdin: TOLD, isHook: true },
  { program: "agent-sessions", argv: ["list"] },
  { program: "agent-sessions", argv: ["list", "--json"] },
  { program: "agent-sessions", argv: ["status"] },
  { program: "agent-sessions", argv: ["tmux"] },
  { program: "agent-sessions", argv: ["read", "--all"] },
  { program: "agent-sessions", argv: ["pause", "--all"] },
  { program: "agent-sessions", argv: ["monitoring", "pause"] },
  { program: "agent-sessions", argv: ["setup", "claude", "aider", "--yes"] },
  { program: "agent-sessions", argv: ["doctor"] },
  { program: "agent-sessions", argv: ["events"] },
  { program: "agent-signal", argv: ["working", "--session", "s"] },
];

testAsNobody(
  "without a home, or with one that cannot be used: hooks say nothing, everybody else what is wrong, and nobody crashes",
  async () => {
    const tally = new Tally("missing and unusable home folders", { short: 4, whole: 30 });
    const all = HOMES.flatMap((home) => HOMELESS.map((call) => ({ home, call })));
    // Where the signal document lies, nobody of this user may write either.
    const elsewhere = scratchFolder();
    chmodSync(elsewhere, 0o755);
    mkdirSync(join(elsewhere, "signal"));
    for (const { home, call } of drawn(all, 6, tally.what)) {
      if (!tally.hasTime) break;
      const { isHook, ...rest } = call;
      const environment = {
        AGENT_SIGNAL_LIGHT_STATE_DIR: join(elsewhere, "signal", "state"),
        ...(home === undefined ? {} : { HOME: home }),
      };
      const { code, signal, out, err } = run({ ...rest, environment, prefix: AS_NOBODY, cwd: "/" });
      tally.rounds += 1;
      const how = `ended with ${code ?? signal}, saying ${JSON.stringify((out + err).slice(0, 400))}`;
      const isWell = isHook === true ? code === 0 && out + err === "" : code === 0 || (code === 1 && out + err !== "");
      const isCrash = /\n\s+at .*[:(]|node:internal/.test(err);
      const corrupt = isWell && !isCrash ? [] : [how];
      tally.note(`HOME=${home ?? "(unset)"} ${call.program} ${call.argv.join(" ")}`, { corrupt });
    }
    tally.finish();
  },
  600_000,
);
