import type { EngineInterface } from "claude-code";
import { entryName, entryText, isKept, levelIn, levelOf } from "../core/inbox-entry";
import { recordOf } from "../core/request";
import { sessionProcess } from "./session-process";
import { ourHome } from "./surroundings";

/** So many events may wait for a slow disk; more are let go. */
const WAITING_LIMIT = 500;

/** How full the inbox is, is looked up again after so long, and counted after so many entries. */
const LOOK_MS = 2_000;
const COUNT_EVERY = 64;

/** What all events of the session say, for those that do not. */
let base: Readonly<Record<string, unknown>> = {};

let written: Promise<void> = Promise.resolve();
let waiting = 0;
let count = 0;
let seen = 0;
let isReady = false;
let home: string | undefined;
let fullness = { level: 0, at: 0 };

/**
 * Reports an event as its hook would receive it: one file in the inbox (docs/recorder.md). Nobody waits for it: files
 * are written one after the other, so that they are in order.
 */
export function report($: EngineInterface, event: string, payload: object): void {
  const values = recordOf(payload) ?? {};
  const { session_id, transcript_path, cwd, permission_mode, prompt_id } = values;
  if (typeof session_id === "string") {
    base = {
      ...base,
      session_id,
      transcript_path,
      cwd,
      permission_mode: permission_mode ?? base.permission_mode,
      prompt_id,
    };
  }
  enqueue($, event, payload);
}

/** Reports what no hook tells, with what the hooks of this session told last. */
export function reportMore($: EngineInterface, event: string, more: object): void {
  if (base.session_id === undefined) return;
  enqueue($, event, { ...base, hook_event_name: event, ...more });
}

/** When all that was reported is written. */
export function reported(): Promise<void> {
  return written;
}

function enqueue($: EngineInterface, event: string, payload: object): void {
  if (waiting >= WAITING_LIMIT) return;
  waiting += 1;
  written = written
    .then(() => deliver($, event, payload))
    .catch(() => undefined)
    .then(() => {
      waiting -= 1;
    });
}

async function deliver($: EngineInterface, event: string, payload: object): Promise<void> {
  home ??= await ourHome($);
  const inbox = `${home}/inbox`;
  const process = await sessionProcess($);
  if (!isReady) await makeFolders($, home);
  const tool = recordOf(payload)?.tool_name;
  const level = await levelNow($, inbox);
  if (!isKept(event, typeof tool === "string" ? tool : undefined, level)) return;
  count += 1;
  const name = entryName(process.pid, count, chance());
  await $.fs.write(`${inbox}/${name}`, entryText(event, payload, withSession(process, payload), level));
  isReady = true;
}

function withSession(process: Awaited<ReturnType<typeof sessionProcess>>, payload: object): typeof process {
  const { cwd, session_id } = recordOf(payload) ?? {};
  return {
    pid: process.pid,
    facts: [
      ["PWD", typeof cwd === "string" ? cwd : undefined],
      ...process.facts,
      ["CLAUDE_CODE_SESSION_ID", typeof session_id === "string" ? session_id : undefined],
    ],
  };
}

/** How full the inbox is: as the file beside the entries says, and by a count of our own, since no recorder may run. */
async function levelNow($: EngineInterface, inbox: string): Promise<number> {
  const now = await $.clock.now();
  seen += 1;
  if (seen % COUNT_EVERY === 0) {
    const level = levelOf((await $.fs.list(inbox)).length);
    if (level > 0) await $.fs.write(`${inbox}/.full`, `${level}\n`);
    fullness = { level, at: now };
  } else if (now - fullness.at >= LOOK_MS || now < fullness.at) {
    fullness = { level: await flagged($, `${inbox}/.full`), at: now };
  }
  return fullness.level;
}

async function flagged($: EngineInterface, file: string): Promise<number> {
  try {
    return levelIn(await $.fs.read(file, { length: 16 }));
  } catch {
    return 0;
  }
}

/** Makes the folders for this user alone, where they are missing; a file that is written makes them for all to see. */
async function makeFolders($: EngineInterface, home: string): Promise<void> {
  if (await $.fs.exists(`${home}/inbox`)) return;
  const { platform } = await $.session.info();
  if (platform === "windows") return;
  // Those that are there are left alone, at the price of a complaint.
  await $.process.run(["mkdir", "-m", "700", "--", home, `${home}/inbox`, `${home}/plugin`]).catch(() => undefined);
}

function chance(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
