import type { EngineInterface } from "claude-code";
import { nameOfId, projectFolderName } from "../core/file-path";
import { shownReason } from "../core/marks";
import {
  markIn,
  registryRow,
  sorted,
  startInStat,
  type Mark,
  type Overview,
  type SessionRow,
} from "../core/session-row";
import { firstPromptIn, transcriptEnd, type TranscriptEnd } from "../core/transcript";
import { turnNow } from "./current-save";
import { setOverview } from "./overview-state";
import { processId } from "./session-process";
import { configFolder, ourHome } from "./surroundings";

/** A file of the registry or a mark is at most so large, in bytes; more files than that are not looked at. */
const SMALL_BYTES = 64 * 1024;
const FILES_LOOKED_AT = 200;

/** So much of a transcript's end is read, then so much where that holds no answer; and so much of its beginning. */
const END_BYTES = [256 * 1024, 2 * 1024 * 1024] as const;
const BEGINNING_BYTES = 64 * 1024;

/** What a transcript told, by its path, until it changes. */
const transcripts = new Map<string, { key: string; facts: TranscriptFacts }>();

type TranscriptFacts = TranscriptEnd & { firstPrompt?: string; isWhole: boolean };

/** Processes that `ps` listed when the pane was opened; absent where they are not listed. */
let listed: ReadonlySet<number> | undefined;

/** Reads all sessions anew and shows them. An error takes the place of rows that may not be true any more. */
export async function refreshOverview($: EngineInterface): Promise<Overview> {
  const at = await $.clock.now();
  let next: Overview;
  try {
    next = { at, rows: sorted(await readRows($)), error: "" };
  } catch (error) {
    next = { at, rows: [], error: shownReason(error) };
  }
  await setOverview($, next);
  return next;
}

/** Lists the processes, where only a program can: once each time the pane is opened. */
export async function listProcesses($: EngineInterface): Promise<void> {
  const { platform } = await $.session.info();
  if (platform !== "macos") return;
  try {
    const { exitCode, stdout } = await $.process.run(["/bin/ps", "-A", "-o", "pid="], { timeoutMs: 5_000 });
    listed = exitCode === 0 ? new Set(stdout.split("\n").map(Number)) : undefined;
  } catch {
    listed = undefined;
  }
}

async function readRows($: EngineInterface): Promise<SessionRow[]> {
  const config = await configFolder($);
  const folder = `${config}/sessions`;
  const files = (await $.fs.list(folder)).filter(
    ({ name, kind, size }) => kind === "file" && /^\d+\.json$/.test(name) && size <= SMALL_BYTES,
  );
  const rows: SessionRow[] = [];
  for (const { name } of files.slice(0, FILES_LOOKED_AT)) {
    const row = registryRow(await readUpTo($, `${folder}/${name}`, SMALL_BYTES));
    // A file that just went, or is just being written, is seen at the next look.
    if (row !== undefined) rows.push(row);
  }
  const own = await processId($).catch(() => undefined);
  const domain = rows.find(({ pid }) => pid === own)?.pidDomain;
  const alive: SessionRow[] = [];
  for (const row of rows) {
    const isOwn = row.pid === own;
    const isAlive = isOwn ? true : await seenAlive($, row, domain);
    // The registry calls a session busy while a command of its own runs.
    const status = isOwn && turnNow() === "" && row.status === "busy" ? "idle" : row.status;
    if (isAlive !== false) alive.push(await withFacts($, { ...row, status, isAlive }, config));
  }
  return alive;
}

/** Whether a session's process is there; undefined where that cannot be told, as for one of another container. */
async function seenAlive(
  $: EngineInterface,
  row: SessionRow,
  domain: string | undefined,
): Promise<boolean | undefined> {
  if (domain !== undefined && row.pidDomain !== domain) return undefined;
  const { platform } = await $.session.info();
  switch (platform) {
    case "linux":
    case "wsl": {
      const stat = await readUpTo($, `/proc/${row.pid}/stat`, 4096);
      if (stat === "") return (await $.fs.exists(`/proc/${row.pid}`)) ? undefined : false;
      const start = startInStat(stat);
      // Another process may have the id by now.
      return row.procStart === "" || start === undefined ? true : start === row.procStart;
    }
    case "macos":
      return listed?.has(row.pid);
    default:
      return undefined;
  }
}

async function withFacts($: EngineInterface, row: SessionRow, config: string): Promise<SessionRow> {
  const name = nameOfId(row.sessionId);
  const mark = name === undefined ? undefined : await readMark($, `${await ourHome($)}/plugin/${name}.json`);
  const folder = projectFolderName(row.cwd);
  const path =
    mark?.transcript ??
    (folder === undefined || name === undefined ? undefined : `${config}/projects/${folder}/${row.sessionId}.jsonl`);
  const facts = path === undefined ? undefined : await readTranscript($, path);
  // Only a transcript that was read to its beginning tells that there was no answer.
  const answeredAt = facts?.answeredAt ?? (facts?.isWhole === true ? null : mark?.answeredAt);
  const contextTokens = facts?.contextTokens ?? mark?.contextTokens;
  const topic = mark?.pickup || facts?.title || facts?.firstPrompt;
  return {
    ...row,
    hasPlugin: mark !== undefined,
    ...(answeredAt === undefined ? {} : { answeredAt }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
    ...(facts?.ttlMs === undefined ? {} : { ttlMs: facts.ttlMs }),
    ...(topic ? { topic } : {}),
  };
}

async function readMark($: EngineInterface, file: string): Promise<Mark | undefined> {
  const text = await readUpTo($, file, SMALL_BYTES);
  return text === "" ? undefined : markIn(text);
}

async function readTranscript($: EngineInterface, path: string): Promise<TranscriptFacts | undefined> {
  try {
    const { size, mtimeMs, kind } = await $.fs.stat(path);
    if (kind !== "file") return undefined;
    const key = `${size} ${mtimeMs}`;
    const known = transcripts.get(path);
    if (known?.key === key) return known.facts;
    const beginning = await $.fs.read(path, { offset: 0, length: BEGINNING_BYTES });
    const end = await readEnd($, path, size);
    const facts = { ...end, firstPrompt: known?.facts.firstPrompt ?? firstPromptIn(beginning) };
    transcripts.set(path, { key, facts });
    return facts;
  } catch {
    return undefined;
  }
}

async function readEnd($: EngineInterface, path: string, size: number): Promise<TranscriptEnd & { isWhole: boolean }> {
  let found: TranscriptEnd = {};
  for (const length of END_BYTES) {
    found = transcriptEnd(await $.fs.read(path, { offset: Math.max(0, size - length), length }));
    if (found.answeredAt !== undefined || size <= length) return { ...found, isWhole: size <= length };
  }
  return { ...found, isWhole: false };
}

/** A file's beginning; empty where it cannot be read. */
async function readUpTo($: EngineInterface, path: string, length: number): Promise<string> {
  try {
    return await $.fs.read(path, { offset: 0, length });
  } catch {
    return "";
  }
}
