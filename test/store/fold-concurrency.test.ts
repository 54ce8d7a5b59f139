import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildSync } from "esbuild";
import { EventLogs, LINES_KEPT } from "../../src/store/event-log";
import { SessionStore } from "../../src/store/session-store";
import { scratchFolder } from "../scratch";
import { extent } from "../thoroughness";

const RECORD = resolve(__dirname, "../../assets/bin/record");

/** How many recorders run at once, and how many events each delivers; `FOLD_EVENTS=500` for a longer run. */
const RECORDERS = 20;
const EVENTS = Number(process.env.FOLD_EVENTS) || extent(25, 500);
const READERS = 4;

/** A recorder's session: events numbered from 0, one after the other, as an agent runs its hooks. */
const SCRIPT = `i=0
while [ $i -lt $EVENTS ]; do
  printf '{"session":"s%s","number":%s}' "$SESSION" "$i" | /bin/sh "$RECORD" claude PreToolUse
  i=$((i + 1))
done`;

test(`${RECORDERS} recorders × ${EVENTS} events, folded by ${READERS} readers at once, some killed: each once, in order`, async () => {
  const folder = scratchFolder();
  const home = join(folder, "home");
  mkdirSync(join(home, "inbox"), { recursive: true, mode: 0o700 });
  const worker = join(folder, "worker.js");
  buildSync({ entryPoints: [join(__dirname, "fold-worker.ts")], outfile: worker, bundle: true, platform: "node" });

  const readers = new Set<ChildProcess>();
  let killed = 0;
  let isOver = false;
  const open = () => {
    const reader = spawn(process.execPath, [worker, home], { stdio: ["pipe", "ignore", "inherit"] });
    readers.add(reader);
    reader.once("exit", (code, signal) => {
      readers.delete(reader);
      if (signal === "SIGKILL") {
        if (!isOver) open();
      } else if (code !== 0) failures.push(`a reader ended with ${code ?? signal}`);
    });
  };
  const failures: string[] = [];
  for (let index = 0; index < READERS; index += 1) open();
  // Kills one of the readers now and then, wherever it is in its work.
  const killer = setInterval(() => {
    const victims = Array.from(readers);
    victims[Math.floor(Math.random() * victims.length)]?.kill("SIGKILL");
    killed += 1;
  }, 150);

  const recorders = Array.from({ length: RECORDERS }, (_, index) =>
    spawn("/bin/sh", ["-c", SCRIPT], {
      stdio: "ignore",
      env: {
        PATH: process.env.PATH,
        AGENT_SESSIONS_HOME: home,
        RECORD,
        EVENTS: String(EVENTS),
        SESSION: String(index),
      },
    }),
  );
  await Promise.all(recorders.map((recorder) => once(recorder, "exit")));
  clearInterval(killer);
  isOver = true;
  await Promise.all(
    Array.from(readers, async (reader) => {
      reader.stdin?.end();
      await once(reader, "exit");
    }),
  );

  // What the last reader left is folded by the next one.
  const last = spawn(process.execPath, [worker, home], { stdio: ["ignore", "ignore", "inherit"] });
  await once(last, "exit");
  expect(failures).toEqual([]);
  const store = new SessionStore(home);
  const logs = new EventLogs(home);
  let lines = 0;
  const expected = Array.from({ length: EVENTS }, (_, number) => String(number));
  for (let index = 0; index < RECORDERS; index += 1) {
    const calls = store.load({ agent: "claude", sessionId: `s${index}` })?.record.calls.map(({ tool }) => tool) ?? [];
    expect({ session: index, calls }).toEqual({ session: index, calls: expected });
    // A reader that was killed may have lost lines of the log, but none is there twice, and none in another's place.
    const { entries } = logs.read({ limit: EVENTS, session: { agent: "claude", sessionId: `s${index}` } });
    const told = entries.map((entry) => Number(entry.outcome === "event" ? entry.tool : undefined));
    expect(told).toEqual(Array.from(new Set(told)).sort((one, other) => one - other));
    lines += told.length;
  }
  expect(lines).toBeGreaterThan(Math.min(RECORDERS * EVENTS, RECORDERS * LINES_KEPT) / 2);
  expect(readdirSync(join(home, "inbox")).filter((name) => !name.startsWith("."))).toEqual([]);
  expect(killed).toBeGreaterThan(0);
}, 240_000);
