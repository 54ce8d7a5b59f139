import { on } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { follow, type Live } from "../../src/observe/live";
import { Observer } from "../../src/observe/observer";
import type { Snapshot } from "../../src/observe/snapshot";
import type { Places } from "../../src/store/places";
import { ReadMarksFile } from "../../src/store/read-marks";
import { deliver } from "../inbox-file";
import { scratchPlaces } from "../scratch";

/** Follows places and lets a test await what it shows. */
class Viewer {
  private readonly waiting = new Set<{
    holds: (snapshot: Snapshot) => boolean;
    resolve: (snapshot: Snapshot) => void;
  }>();
  private live?: Live;
  private last?: Snapshot;

  static async open(places: Places): Promise<Viewer> {
    const viewer = new Viewer();
    viewer.live = await follow({ places }, { onSnapshot: (snapshot) => viewer.show(snapshot) });
    viewers.push(viewer);
    return viewer;
  }

  /** The first snapshot, from now on or the present one, for which something holds. */
  until(holds: (snapshot: Snapshot) => boolean): Promise<Snapshot> {
    if (this.last !== undefined && holds(this.last)) return Promise.resolve(this.last);
    return new Promise((resolve) => this.waiting.add({ holds, resolve }));
  }

  async close(): Promise<void> {
    await this.live?.stop();
  }

  private show(snapshot: Snapshot): void {
    this.last = snapshot;
    for (const waiter of this.waiting) {
      if (!waiter.holds(snapshot)) continue;
      this.waiting.delete(waiter);
      waiter.resolve(snapshot);
    }
  }
}

const viewers: Viewer[] = [];

afterEach(async () => {
  for (const viewer of viewers.splice(0)) await viewer.close();
});

const stateIs = (id: string, state: string) => (snapshot: Snapshot) =>
  snapshot.sessions.some((session) => session.sessionId === id && session.state === state);

function write(places: Places, id: string, state: string, fields: Record<string, unknown> = {}): void {
  const file = join(places.statusDirectory, `${id}.json`);
  writeFileSync(`${file}.part`, JSON.stringify({ session_id: id, state, ts: Date.now() / 1000, ...fields }));
  renameSync(`${file}.part`, file);
}

test("a change is seen: a new file, a replaced one, one written in place, one removed", async () => {
  const places = scratchPlaces();
  const viewer = await Viewer.open(places);
  write(places, "s1", "working");
  await viewer.until(stateIs("s1", "working"));
  write(places, "s1", "waiting");
  await viewer.until(stateIs("s1", "waiting"));
  writeFileSync(
    join(places.statusDirectory, "s1.json"),
    JSON.stringify({ session_id: "s1", state: "failed", ts: Date.now() / 1000 }),
  );
  await viewer.until(stateIs("s1", "failed"));
  rmSync(join(places.statusDirectory, "s1.json"));
  await viewer.until(({ sessions }) => sessions.length === 0);
});

test("a file that is half written for a moment is seen when it is whole, without another change", async () => {
  const places = scratchPlaces();
  write(places, "s1", "working");
  const viewer = await Viewer.open(places);
  const file = join(places.statusDirectory, "s1.json");
  writeFileSync(file, '{"session_id": "s1", ');
  await viewer.until(({ sessions }) => sessions[0]?.unreadableSince !== undefined);
  writeFileSync(file, JSON.stringify({ session_id: "s1", state: "done", ts: 5 }));
  await viewer.until(({ sessions, problems }) => sessions[0]?.unreadableSince === undefined && problems.length === 0);
});

test("the signal document and the read marks are followed too, and folders that appear later", async () => {
  const places = scratchPlaces();
  mkdirSync(dirname(places.signalStateFile), { recursive: true });
  const viewer = await Viewer.open(places);
  const now = Date.now() / 1000;
  const record = { signal: "done", agent: "script", updated_at: now + 1 };
  writeFileSync(`${places.signalStateFile}.part`, JSON.stringify({ sessions: { job: record } }));
  renameSync(`${places.signalStateFile}.part`, places.signalStateFile);
  const { sessions } = await viewer.until(stateIs("job", "done"));
  new ReadMarksFile(places.home).update(now, () => ({ "script:job": { readUntil: sessions[0]?.doneAt ?? 0 } }));
  await viewer.until(stateIs("job", "idle"));
});

test("a status directory that did not exist at the start is found", async () => {
  const places = scratchPlaces();
  rmSync(places.statusDirectory, { recursive: true });
  const viewer = await Viewer.open(places);
  mkdirSync(places.statusDirectory);
  write(places, "s1", "working");
  await viewer.until(stateIs("s1", "working"));
}, 20_000);

test("what agents deliver into the inbox is seen at once, each time", async () => {
  const places = scratchPlaces();
  const viewer = await Viewer.open(places);
  for (let round = 0; round < 4; round += 1) {
    const begun = Date.now();
    const payload = { session_id: `s${round}`, hook_event_name: "UserPromptSubmit", prompt: "Fix it" };
    deliver(places.home, { agent: "claude", at: begun / 1000, payload });
    await viewer.until(stateIs(`s${round}`, "working"));
    // Far below the two seconds in which a look at everything would find it without any watch.
    expect(Date.now() - begun).toBeLessThan(1500);
  }
});

test("after it was stopped nothing is shown any more", async () => {
  const places = scratchPlaces();
  let shown = 0;
  const live = await follow({ places }, { onSnapshot: () => (shown += 1) });
  await live.stop();
  const before = shown;
  write(places, "s1", "working");
  const other = await Viewer.open(places);
  await other.until(stateIs("s1", "working"));
  expect(shown).toBe(before);
});

test("what was read of transcripts is kept while it is open: a launcher ends a command without a word", async () => {
  const places = { ...scratchPlaces(), agentDirectories: [] };
  const transcript = join(places.statusDirectory, "..", "s1.jsonl");
  writeFileSync(transcript, `${JSON.stringify({ type: "summary", summary: "Billing" })}\n`);
  const payload = {
    session_id: "s1",
    hook_event_name: "UserPromptSubmit",
    prompt: "Go on",
    transcript_path: transcript,
  };
  deliver(places.home, { agent: "claude", event: "UserPromptSubmit", payload, at: Date.now() / 1000 - 5 });
  const viewer = await Viewer.open(places);
  await viewer.until(stateIs("s1", "working"));
  mkdirSync(join(places.home, "cache"), { recursive: true, mode: 0o700 });
  const watcher = watch(join(places.home, "cache"), { persistent: false });
  for await (const [, name] of on(watcher, "change")) if (name === "transcripts.json") break;
  watcher.close();
  expect(readFileSync(join(places.home, "cache", "transcripts.json"), "utf8")).toContain("s1.jsonl");
});

test("what was kept of transcripts is not kept again until another was read", () => {
  const places = { ...scratchPlaces(), agentDirectories: [] };
  const transcript = join(places.statusDirectory, "..", "s1.jsonl");
  const say = (title: string) =>
    writeFileSync(transcript, `${JSON.stringify({ type: "custom-title", customTitle: title })}\n`);
  say("One");
  const payload = { session_id: "s1", hook_event_name: "UserPromptSubmit", prompt: "Go", transcript_path: transcript };
  deliver(places.home, { agent: "claude", event: "UserPromptSubmit", payload, at: Date.now() / 1000 - 5 });
  const observer = new Observer({ places, environment: {} });
  const kept = () => {
    observer.look();
    observer.snapshot();
    observer.keep();
    return statSync(join(places.home, "cache", "transcripts.json")).ino;
  };
  const first = kept();
  expect(kept()).toBe(first);
  say("Another");
  expect(kept()).not.toBe(first);
});
