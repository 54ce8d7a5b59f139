// Renders the list of sessions into plain objects, without any sources, and tells how long that takes.
import { List } from "@raycast/api";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { createElement, useState, type ReactNode } from "react";
import type { Snapshot } from "../../src/observe/snapshot";
import type { Session } from "../../src/session/session";
import { sortSessions } from "../../src/session/sort";
import { STATES } from "../../src/session/state";
import { LastListFile } from "../../src/store/last-list";
import { SessionList } from "../../src/views/session-list";
import { createRoot, type Node } from "../host/renderer";
import { host$ } from "../host/state";
import { all } from "../host/tree";
import { median } from "./measure";
import { tell } from "./told-live";

const { count, rounds }: { count: number; rounds: number } = workerData;

/** What is told, in milliseconds. */
export interface RenderTimes {
  rows: number;
  first: number;
  change: number;
  plainFirst: number;
  plainChange: number;
  keptRows: number;
  load: number;
  save: number;
}

const NOW = Date.now() / 1000;

function sessionAt(index: number): Session {
  const state = STATES[index % STATES.length] ?? "idle";
  const sessionId = `${String(index).padStart(8, "0")}-4f2e-8190-99e3-ee42f99623d5`;
  return {
    id: `claude:${sessionId}`,
    agent: "claude",
    sessionId,
    state,
    since: NOW - 60 * index,
    doneAt: NOW - 60 * index - 5,
    unread: index % 5 === 0,
    needsYou: state === "waiting" || state === "decision" || state === "failed",
    title: `Task number ${index} of the billing package`,
    project: `project-${index % 40}`,
    cwd: `/home/dev/work/project-${index % 40}`,
    message: "Bash: npm test --workspace billing",
    permissionMode: "default",
    subagents: index % 3,
    context: { tokens: 80_912, window: 200_000, model: "opus", lastAnswerAt: NOW - 60 * index - 5 },
    sources: ["events", "transcript"],
    evidence: [
      {
        source: "events",
        file: `/home/dev/.agent-sessions/sessions/claude/${sessionId}.json`,
        state,
        verdict: "stands",
        at: NOW,
      },
    ],
  };
}

function snapshotOf(sessions: Session[]): Snapshot {
  return {
    at: NOW,
    sessions,
    aggregate: {
      signal: "idle",
      displayState: "ready",
      priority: 0,
      needsYou: 0,
      unread: 0,
      working: 0,
      total: sessions.length,
    },
    problems: [],
    signal: { stateFile: "", events: [] },
    found: { events: true, statusDirectory: false, signalStateFile: false, registry: false },
  };
}

/** A view that is rendered; `until` resolves once what it shows is so. */
function open(element: ReactNode) {
  let onCommit: () => void = () => undefined;
  const root = createRoot(
    () => onCommit(),
    (error) => {
      throw error;
    },
  );
  const until = (isSo: (node: Node) => boolean) =>
    new Promise<void>((resolve) => {
      onCommit = () => {
        if (isSo(root.node)) resolve();
      };
    });
  const begin = () => root.update(element);
  const close = () => root.update(null);
  return { until, begin, close };
}

/** Milliseconds from doing something until what shows is so. */
async function timed(work: () => void, until: Promise<void>): Promise<number> {
  const begun = performance.now();
  work();
  await until;
  return performance.now() - begun;
}

const itemsIn = (node: Node) => all(node, "List.Item");

async function measure(): Promise<RenderTimes> {
  const home = mkdtempSync(join(tmpdir(), "agent-sessions-bench-"));
  try {
    const sessions = sortSessions(Array.from({ length: count }, (_, index) => sessionAt(index)));
    const times = {
      first: [] as number[],
      change: [] as number[],
      plainFirst: [] as number[],
      plainChange: [] as number[],
    };
    let rows = 0;
    for (let round = 0; round < rounds; round += 1) {
      // A home of its own each time: there are no rows of an opening before.
      host$.preferences = { homeDirectory: join(home, String(round)) };
      tell(snapshotOf(sessions));
      const list = open(createElement(SessionList));
      const isShown = list.until((node) => (rows = itemsIn(node).length) > 0);
      times.first.push(await timed(list.begin, isShown));
      const [top] = sessions;
      const changed = sessions.map((each) => (each === top ? { ...each, title: "Another title" } : each));
      const isChanged = list.until((node) => itemsIn(node)[0]?.props.title === "Another title");
      times.change.push(await timed(() => tell(snapshotOf(changed)), isChanged));
      list.close();

      let change: (title: string) => void = () => undefined;
      const titles = sessions.slice(0, rows).map(({ title }) => title);
      const Plain = () => {
        const [first, setFirst] = useState("first");
        change = setFirst;
        return createElement(
          List,
          null,
          titles.map((title, index) => createElement(List.Item, { key: index, title: index === 0 ? first : title })),
        );
      };
      const plain = open(createElement(Plain));
      times.plainFirst.push(
        await timed(
          plain.begin,
          plain.until((node) => itemsIn(node).length === rows),
        ),
      );
      const isOther = plain.until((node) => itemsIn(node)[0]?.props.title === "other");
      times.plainChange.push(await timed(() => change("other"), isOther));
      plain.close();
    }
    return { rows, ...middles(times), ...keeping(home, sessions) };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function middles<K extends string>(times: Record<K, number[]>): Record<K, number> {
  const entries = Object.entries<number[]>(times).map(([name, values]) => [
    name,
    median(values.length, (index) => values[index] ?? Number.NaN),
  ]);
  return Object.fromEntries(entries) as Record<K, number>;
}

/** What it takes to keep the first rows for the next opening, and to read them there. */
function keeping(home: string, sessions: Session[]): Pick<RenderTimes, "keptRows" | "load" | "save"> {
  let keptRows = 0;
  const timedNow = (work: () => void) => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  };
  const save = median(rounds, (round) =>
    timedNow(() => new LastListFile(home, "bench").save({ at: NOW, sessions }, [String(round)])),
  );
  const load = median(rounds, () =>
    timedNow(() => {
      keptRows = new LastListFile(home, "bench").load()?.sessions.length ?? 0;
    }),
  );
  return { keptRows, load, save };
}

measure().then(
  (times) => {
    parentPort?.postMessage(times);
    // The list's own timers would keep it open.
    process.exit(0);
  },
  (error) => {
    throw error;
  },
);
