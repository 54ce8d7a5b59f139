import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { askSessions } from "../../src/cli/verbs/ask-sessions";
import { setup } from "../../src/cli/verbs/setup";
import { ControlFolder } from "../../src/control/control-folder";
import { requestIds } from "../../src/control/request-files";
import { cliIo } from "../cli-io";
import { fillWithAnswers, idOf, marksBefore, marksOf, SESSIONS } from "./answers-scene";
import { damagedIn, fillWithEvents, FOREIGN, lastingEnvironment, TOOLS } from "./events-scene";
import type { Call, Ended } from "./faulted-command";
import { BUSY, fillWithSessions } from "./sessions-scene";
import { AGENTS, fillWithSettings, SETTINGS } from "./settings-scene";
import { BEFORE, fillWithSignals } from "./signals-scene";
import { isDraft, type World } from "./world";

/** One thing that a user or an agent has done, in a world in which something can go wrong. */
export interface Doing {
  name: string;
  fill(world: World): World | Promise<World>;
  call(world: World): Call;
  /** Whether it is done. */
  isDone(world: World, ended: Ended): boolean;
  /** What is damaged or lost, whatever became of it. */
  faults(world: World): string[];
  /**
   * `hook`: an agent waits for it; it prints nothing and ends with 0, come what may. `look`: it shows what it can, names
   * what it cannot, and ends with 0. `mark`: the same for what it cannot read. Else it ends with 1 where it is not done,
   * and says why.
   */
  kind?: "hook" | "look" | "mark";
}

const command = ({ environment }: World, ...argv: string[]): Call => ({ program: "agent-sessions", argv, environment });

/** An event of a session that nothing else is about. */
const EVENT = JSON.stringify({ session_id: "recorded", hook_event_name: "UserPromptSubmit", prompt: "Fix it" });

const recorded = (program: "record" | "agent-sessions"): Doing => ({
  name: program === "record" ? "record (sh)" : "record (Node)",
  fill: (world) => world,
  call: ({ environment }) => ({
    program,
    argv: [...(program === "record" ? [] : ["record"]), "claude", "UserPromptSubmit"],
    environment,
    stdin: EVENT,
  }),
  isDone: (world) => world.waiting().length === 1,
  faults: (world) => world.undecodable(),
  kind: "hook",
});

const folded: Doing = {
  name: "list with events to fold",
  fill: fillWithEvents,
  call: (world) => ({ ...command(world, "list"), environment: lastingEnvironment(world) }),
  isDone(world) {
    const tools =
      world
        .records()
        .get("claude:a")
        ?.calls.map(({ tool }) => tool) ?? [];
    return tools.sort().join() === TOOLS.join() && world.records().size === 3 && world.waiting().length === 0;
  },
  faults(world) {
    const lost = lostEvents(world);
    const foreign = readFileSync(join(world.places.statusDirectory, "foreign.json"), "utf8");
    const theirs =
      world.signals()?.sessions.get("build")?.signal === "working" ? [] : ["the signal of another's session"];
    return [
      ...damagedIn(world),
      ...twiceIn(world),
      ...lost,
      ...theirs,
      ...(foreign === JSON.stringify(FOREIGN) ? [] : ["another's status file"]),
    ];
  },
  kind: "look",
};

/** What is folded twice; one that could not be read in its turn comes later than others. */
function twiceIn(world: World): string[] {
  const tools =
    world
      .records()
      .get("claude:a")
      ?.calls.map(({ tool }) => tool) ?? [];
  return tools.filter((tool, index) => tools.indexOf(tool) !== index).map((tool) => `${tool} is there twice`);
}

/** An event is in its session, or waits. */
function lostEvents(world: World): string[] {
  const tools = world.records().get("claude:a")?.calls.length ?? 0;
  const waiting = world.waiting().map((name) => readFileSync(world.ours("inbox", name), "utf8"));
  const waits = waiting.filter((text) => /"tool_name":"T\d"/.test(text)).length;
  return tools + waits >= TOOLS.length ? [] : [`${tools} calls are folded and ${waits} wait`];
}

const marked: Doing = {
  name: "read --all",
  fill: fillWithAnswers,
  call: (world) => command(world, "read", "--all"),
  isDone: (world) => Object.keys(marksOf(world)?.sessions ?? {}).length === SESSIONS,
  faults(world) {
    const marks = marksOf(world);
    const lost = Object.keys(marksBefore().sessions).filter((id) => marks?.sessions[id] === undefined);
    return [...world.undecodable(), ...lost.map((id) => `the mark of ${id}`)];
  },
  kind: "mark",
};

const signaled: Doing = {
  name: "agent-signal working",
  fill: fillWithSignals,
  call: ({ environment }) => ({
    program: "agent-signal",
    argv: ["working", "--session", "mine", "--event", "Compile"],
    environment,
  }),
  isDone: (world) => world.signals()?.sessions.get("mine")?.signal === "working",
  faults(world) {
    const sessions = world.signals()?.sessions;
    return [
      ...world.undecodable(),
      ...BEFORE.filter((id) => sessions?.has(id) !== true).map((id) => `the session ${id}`),
    ];
  },
};

const paused: Doing = {
  name: "pause",
  fill: fillWithSessions,
  call: (world) => command(world, "pause", BUSY.sessionId),
  isDone: (world) => requestIds(new ControlFolder(world.places.home).requests(BUSY)).length === 1,
  faults: (world) => world.undecodable(),
};

const cancelled: Doing = {
  name: "cancel",
  async fill(world) {
    fillWithSessions(world);
    const surroundings = { run: () => Promise.resolve({ outcome: "missing" as const }) };
    const io = cliIo(world.places, { environment: world.environment });
    await askSessions({ kind: "save", sessions: [BUSY.sessionId] }, io, surroundings);
    return world;
  },
  call: (world) => command(world, "cancel", BUSY.sessionId),
  isDone: (world) => !world.files().some((path) => path.includes("control/stop/claude/")),
  faults: (world) => world.undecodable(),
};

const monitored: Doing = {
  name: "monitoring pause",
  fill: fillWithSignals,
  call: (world) => command(world, "monitoring", "pause"),
  isDone: (world) => world.signals()?.aggregate === "off" && world.files().some((path) => path.endsWith("paused.json")),
  faults: (world) => world.undecodable(),
};

const setUp: Doing = {
  name: "setup",
  fill: fillWithSettings,
  call: (world) => command(world, "setup", ...AGENTS, "--yes"),
  isDone: (world) => textIn(world, ".claude/settings.json").includes("record claude Stop"),
  faults: (world) => [...world.undecodable(), ...tornSettings(world)],
};

const removed: Doing = {
  name: "setup --remove",
  async fill(world) {
    fillWithSettings(world);
    const io = cliIo(world.places, { environment: { ...world.environment, PATH: "/nowhere" } });
    const request = { agents: AGENTS, remove: false, dryRun: false, yes: true };
    const assets = resolve(__dirname, "../../assets");
    await setup(request, io, { assets, askVersion: () => Promise.resolve(undefined) });
    return world;
  },
  call: (world) => command(world, "setup", ...AGENTS, "--remove", "--yes"),
  isDone: (world) => Object.entries(SETTINGS).every(([path, text]) => textIn(world, path) === text),
  faults: (world) => [...world.undecodable(), ...tornSettings(world)],
};

function textIn(world: World, path: string): string {
  return readFileSync(join(world.user, path), "utf8");
}

/** Settings and backups that have lost what the user had in them. */
function tornSettings(world: World): string[] {
  const marks: readonly (readonly [file: string, ...kept: string[]])[] = [
    ["settings.json", "{", "}"],
    ["config.toml", "# mine", "# best"],
    [".aider.conf.yml", "# mine", "dark-mode: true"],
    ["hooks.json", "{", "}"],
  ];
  return world.files().flatMap((path) => {
    const [, ...kept] = marks.find(([name]) => isKept(basename(path), name)) ?? [];
    const text = kept.length === 0 ? "" : readFileSync(join(world.folder, path), "utf8").trim();
    // An object that ends early ends without its bracket.
    const isWhole = kept.every((each) => text.includes(each)) && (kept[1] !== "}" || text.endsWith("}"));
    return isWhole ? [] : [`${path} is ${JSON.stringify(text)}`];
  });
}

/** Whether a file is a settings file or its backup; a draft is neither. */
function isKept(file: string, name: string): boolean {
  return !isDraft(file) && (file === name || file.startsWith(`${name}.bak-`));
}

/** Caches are written by whoever looks; that they cannot be costs nothing but time. */
const looked: Doing = {
  name: "list, with caches to write",
  fill: fillWithAnswers,
  call: (world) => command(world, "list"),
  isDone: (_world, { out }) => out.includes(idOf(SESSIONS - 1)),
  faults: (world) => world.undecodable(),
  kind: "look",
};

/** All of it. */
export const DOINGS: readonly Doing[] = [
  recorded("record"),
  recorded("agent-sessions"),
  folded,
  looked,
  marked,
  signaled,
  monitored,
  paused,
  cancelled,
  setUp,
  removed,
];

/** What is wrong with how a command ended in which something went wrong. */
export function endingFaults({ kind, isDone }: Doing, world: World, ended: Ended): string[] {
  const { code, signal, out, err } = ended;
  const how = `ended with ${code ?? signal}, saying ${JSON.stringify((out + err).slice(0, 600))}`;
  if (signal !== null) return [how];
  if (/\n\s+at .*[:(]|node:internal|Error: .*\n\s+at /.test(err)) return [`crashed: ${how}`];
  if (kind === "hook") return code === 0 && out + err === "" ? [] : [how];
  if (isDone(world, ended)) return [];
  // What it could not read it left alone, and named.
  if (kind === "look" || kind === "mark") {
    if (code === 0) return err.startsWith("agent-sessions: ") ? [] : [how];
    if (kind === "look") return [how];
  }
  const isSaid = /^agent-(sessions|signal): ./m.test(err) || /^Not reached:\n {2}.*: ./m.test(out);
  // A session that is not found may be among what could not be read: then that is named, too.
  const isNamed = code === 3 && err.trim().split("\n").length > 1;
  return (code === 1 && isSaid) || isNamed ? [] : [`not done, but ${how}`];
}
