import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { systemCodeOf } from "../../session/failure";
import { refusalOnTheWay } from "../../store/guarded-read";
import { REST_MS } from "../../store/parse-cache";
import type { Environment } from "../../store/places";
import { answersFolder, filled, headLine, keptFile, type Gap } from "./kept-answer";
import { versionOf, type Premises } from "./premises";
import { traced } from "./trace";

/** How long an answer may hold. Where processes are not known by their start, their numbers are not used again so soon. */
const HOLD_MS = process.platform === "linux" ? 60_000 : 10_000;

/** A half-written answer this old belongs to nobody, in milliseconds. */
const LEFTOVER_MS = 60_000;

/** A run of a command: what it printed, or undefined when that is no answer to keep. */
export type Run = (surroundings: { environment: Environment; clock: () => number }) => Promise<string | undefined>;

/** An answer that was just given, with what has to be known to keep it. */
export interface Answered {
  text: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Undefined when what it depended on cannot be told for sure. */
  premises: Premises | undefined;
}

/** Answers, and notes what the answer depended on. */
export async function answer(run: Run, environment: Environment, at: number): Promise<Answered | undefined> {
  const trace = traced(environment, answersFolder(environment));
  let text: string | undefined;
  let premises: Premises | undefined;
  try {
    text = await run({ environment: trace.environment, clock: () => at });
  } finally {
    premises = trace.end();
  }
  return text === undefined ? undefined : { text, at, premises };
}

/**
 * Keeps an answer for the next run, if it is one that holds: everything it depended on is known and has been at rest
 * for some seconds, and the same run at the end of the time it is to hold gives the same, but for the ages in it. So
 * nothing that time alone changes is missed. That it cannot be written costs speed, never an answer.
 *
 * @param program the file of the program that answered
 */
export async function keepAnswer(
  argv: readonly string[],
  { text, at, premises }: Answered,
  run: Run,
  environment: Environment,
  program: string,
): Promise<void> {
  const file = keptFile(argv, environment);
  if (file === undefined || premises === undefined || !isAtRest(premises, at, environment)) return;
  const until = at + HOLD_MS;
  const later = await answer(run, environment, until);
  if (later?.premises === undefined || JSON.stringify(later.premises) !== JSON.stringify(premises)) return;
  const bytes = Buffer.from(text);
  const gaps = gapsOf(text, at);
  const isSame =
    gaps !== undefined &&
    filled(Buffer.from(bytes), gaps, at).equals(bytes) &&
    filled(Buffer.from(bytes), gaps, until).equals(Buffer.from(later.text));
  if (!isSame) return;
  const version = versionOf(lstatSync(program));
  write(file, headLine({ program: version, argv, from: at, until, premises, gaps }), bytes);
}

/** Caches of our own do not count: they change when they are replaced by a run like this one, and by nobody else. */
function isAtRest({ files }: Premises, at: number, environment: Environment): boolean {
  const ours = answersFolder(environment);
  return files.every(
    ([path, version]) => version === null || dirname(path) === ours || Math.max(version[0], version[1]) < at - REST_MS,
  );
}

/** In a JSON text no string can hold this: its quotes would be escaped. */
const AGE = /"age_seconds":(\d+)/g;

const GENERATED = /"generated_at":"([^"]*)"/;

/** Where figures of the moment stand in an answer, in bytes; undefined when that cannot be told. Only lists have some. */
function gapsOf(text: string, at: number): Gap[] | undefined {
  // Each byte a character: so offsets in it are those of the file.
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  const generated = GENERATED.exec(bytes);
  if (generated === null) return [];
  const [whole, time = ""] = generated;
  const since = sincesIn(text);
  const ages = Array.from(bytes.matchAll(AGE));
  if (since?.length !== ages.length || time !== new Date(at).toISOString()) return undefined;
  const gaps: Gap[] = [[generated.index + whole.length - time.length - 1, time.length, null]];
  for (const [index, { 0: match, 1: age = "", index: start }] of ages.entries()) {
    gaps.push([start + match.length - age.length, age.length, since[index] ?? Number.NaN]);
  }
  return gaps;
}

/** Since when each session of a list is in its state, in milliseconds, in the list's order. */
function sincesIn(text: string): number[] | undefined {
  const list: unknown = JSON.parse(text);
  if (typeof list !== "object" || list === null || !("sessions" in list) || !Array.isArray(list.sessions)) {
    return undefined;
  }
  return list.sessions.map((session: unknown) =>
    typeof session === "object" && session !== null && "since" in session && typeof session.since === "string"
      ? Date.parse(session.since)
      : Number.NaN,
  );
}

/**
 * Replaces the kept answer, in a folder that is there already and nobody else's. A file of its own beside it is also the
 * lock: who comes second leaves it to the first.
 */
function write(file: string, head: string, text: Buffer): void {
  const cache = dirname(file);
  if (refusalOnTheWay(dirname(cache), "cache") !== undefined) return;
  const part = `${file}.part`;
  try {
    writeFileSync(part, Buffer.concat([Buffer.from(head, "utf8"), text]), {
      flag: "wx",
      mode: 0o600,
    });
    renameSync(part, file);
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") removeLeftover(part);
    else rmSync(part, { force: true });
  }
}

function removeLeftover(part: string): void {
  const stats = lstatSync(part, { throwIfNoEntry: false });
  if (stats !== undefined && Date.now() - stats.mtimeMs > LEFTOVER_MS) rmSync(part, { force: true });
}
