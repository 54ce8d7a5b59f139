import { FakeSession, PHRASE } from "../plugin/fake-session";
import { Tally, type Faults } from "./fault-table";

const KINDS = ["save", "save-restart", "save-auto", "prompt"] as const;

/** A session with the plugin that is asked for something, and killed at one of its writes. */
interface Run {
  session: FakeSession;
  /** What it had submitted when it was killed. */
  submitted: string[];
  writes: number;
}

/**
 * @param at at which of the writes after it was asked it is killed; 0: it is not
 * @param isTorn the half of that write is there
 */
async function killedAt(kind: (typeof KINDS)[number], at: number, isTorn: boolean): Promise<Run> {
  const session = new FakeSession();
  await session.start();
  await session.prompt(`${PHRASE}, please`);
  session.work = () => session.writeShop();
  session.ask("r1", kind, kind === "prompt" ? { text: "once" } : {});
  const run: Run = { session, submitted: session.submitted, writes: 0 };
  const write = session.write.bind(session);
  let isDead = false;
  session.write = (path, text, more) => {
    run.writes += 1;
    if (isDead) return;
    if (run.writes !== at) return write(path, text, more);
    isDead = true;
    run.submitted = [...session.submitted];
    if (isTorn) write(path, text.slice(0, text.length >> 1), more);
  };
  await session.pass(2_500);
  return run;
}

/**
 * The same session in a new process, with the files and the store that the killed one left. An outcome that is half
 * written stays so: whoever asked settles it.
 */
async function again({ session, submitted }: Run): Promise<Faults> {
  const next = new FakeSession();
  for (const [path, file] of session.files) next.files.set(path, file);
  for (const [key, value] of session.store) next.store.set(key, value);
  next.id = "session-1";
  next.now = session.now + 1_000;
  next.work = () => next.writeShop();
  await next.start();
  await next.pass(20_000);
  const asked = [...submitted, ...next.submitted].filter(
    (text) => text !== PHRASE && !text.startsWith(`${PHRASE}, please`),
  );
  // An automatic fresh start has two: the request to save, and what the fresh session begins with.
  const repeated = asked.filter((text, index) => asked.indexOf(text) !== index);
  return { twice: repeated.map((text) => `submitted again: ${text.slice(0, 80)}`) };
}

test("a session that is killed at each write of its plugin carries out a request once at most", async () => {
  const tally = new Tally("plugin in a session, killed at each of its writes", { short: 4, whole: 8 });
  for (const kind of KINDS) {
    const { writes } = await killedAt(kind, 0, false);
    expect(writes).toBeGreaterThan(1);
    for (let at = 1; at <= writes && tally.hasTime; at += 1) {
      for (const isTorn of [false, true]) {
        const run = await killedAt(kind, at, isTorn);
        tally.rounds += 1;
        tally.note(`${kind}, ${isTorn ? "in" : "before"} write ${at}`, await again(run));
      }
    }
  }
  tally.finish();
}, 120_000);
