import { join } from "node:path";
import type { Seconds } from "../session/report";

/** One process as the system lists it. */
export interface ListedProcess {
  pid: number;
  parent: number;
  /**
   * When it started, in the system's own spelling: `lstart` of ps in UTC (`Mon Nov 30 10:37:20 2026`), on Windows the
   * file time in 100 nanoseconds since 1601. Absent when the system keeps it to itself.
   */
  start?: string;
  startedAt?: Seconds;
  /** The command line as one text; empty when the system keeps it to itself. */
  command: string;
  /** It has ended, and only its entry is left. */
  hasEnded: boolean;
}

/** How a system is asked for all of its processes at once. */
export interface ProcessListing {
  program: string;
  parameters: readonly string[];
  /** What its environment must hold for the answer to be readable. */
  environment: Readonly<Record<string, string>>;
  /** Reads the answer. A line that is not understood is left out. */
  parse(output: string): ListedProcess[];
}

/** Runs a listing and gives what it printed. @throws when it cannot run, fails, or takes too long */
export type RunListing = (listing: ProcessListing) => Promise<string>;

/** `-ww`: no line is cut. The columns before `lstart` have no spaces in them, and `lstart` always has five words. */
const PS: ProcessListing = {
  program: "/bin/ps",
  parameters: ["-axwwo", "pid=,ppid=,stat=,lstart=,command="],
  // Claude Code notes starts as ps spells them in UTC, too (seen in version 2.1.332).
  environment: { LC_ALL: "C", TZ: "UTC" },
  parse: parsePs,
};

const POWERSHELL_SCRIPT = [
  "[Console]::OutputEncoding = [Text.Encoding]::UTF8",
  "ConvertTo-Json -Compress -InputObject @(Get-CimInstance Win32_Process | Select-Object ProcessId, ParentProcessId, " +
    "@{n='CreationDate';e={if ($_.CreationDate) {$_.CreationDate.ToFileTimeUtc().ToString()}}}, Name, CommandLine)",
].join("; ");

const CIM: ProcessListing = {
  program: join(process.env.SystemRoot ?? "C:\\Windows", "System32", "WindowsPowerShell", "v1.0", "powershell.exe"),
  parameters: ["-NoLogo", "-NoProfile", "-NonInteractive", "-Command", POWERSHELL_SCRIPT],
  environment: {},
  parse: parseCim,
};

/** How this system's processes are listed. Linux needs none: `/proc` answers for each. */
export function processListing(platform: NodeJS.Platform): ProcessListing | undefined {
  if (platform === "linux") return undefined;
  return platform === "win32" ? CIM : PS;
}

/** Longer than this no system takes to list its processes, in milliseconds; PowerShell alone starts in one second. */
const TIMEOUT_MS = 8_000;

const OUTPUT_LIMIT = 32 * 1024 * 1024;

/** Runs a listing on this machine, with a closed input. */
export const runListing: RunListing = async ({ program, parameters, environment }) => {
  // Loaded here only: where no program is needed, a short run is a tenth faster without it.
  const { execFile } = await import("node:child_process");
  return new Promise((resolve, reject) => {
    const options = {
      timeout: TIMEOUT_MS,
      maxBuffer: OUTPUT_LIMIT,
      windowsHide: true,
      env: { ...process.env, ...environment },
    };
    const child = execFile(program, [...parameters], options, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
    child.stdin?.end();
  });
};

const PS_LINE = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+([A-Z][a-z]{2}\s+[A-Z][a-z]{2}\s+\d+\s+[\d:]+\s+\d{4})(?:\s(.*))?$/;

/** Reads the output of `ps -axwwo pid=,ppid=,stat=,lstart=,command=` under `LC_ALL=C TZ=UTC`. */
export function parsePs(output: string): ListedProcess[] {
  const processes: ListedProcess[] = [];
  for (const line of output.split("\n")) {
    const [, pid, parent, state = "", start = "", command = ""] = PS_LINE.exec(line) ?? [];
    if (pid === undefined || parent === undefined) continue;
    const startedAt = secondsOfLstart(start);
    processes.push({
      pid: Number(pid),
      parent: Number(parent),
      start: start.replace(/\s+/g, " "),
      ...(startedAt === undefined ? {} : { startedAt }),
      command: command.trim(),
      hasEnded: state.startsWith("Z"),
    });
  }
  return processes;
}

const LSTART = /^[A-Z][a-z]{2}\s+([A-Z][a-z]{2})\s+(\d{1,2})\s+(\d{2}):(\d{2}):(\d{2})\s+(\d{4})$/;

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** The moment of ps's `lstart` in UTC and English; undefined for any other spelling. */
export function secondsOfLstart(text: string): Seconds | undefined {
  const [, name = "", ...numbers] = LSTART.exec(text.trim()) ?? [];
  const month = MONTHS.indexOf(name);
  const [day = 0, hour = 0, minute = 0, second = 0, year = 0] = numbers.map(Number);
  return month < 0 ? undefined : Date.UTC(year, month, day, hour, minute, second) / 1000;
}

/** Reads what PowerShell made of `Win32_Process` as JSON: a list, or the only one by itself. */
export function parseCim(output: string): ListedProcess[] {
  const value: unknown = JSON.parse(output.replace(/^\ufeff/, ""));
  const processes: ListedProcess[] = [];
  for (const each of Array.isArray(value) ? value : [value]) {
    const row: unknown = each;
    if (typeof row !== "object" || row === null || !("ProcessId" in row) || !isNumber(row.ProcessId)) continue;
    const start = "CreationDate" in row ? fileTimeOf(row.CreationDate) : undefined;
    const line = "CommandLine" in row ? row.CommandLine : undefined;
    const name = "Name" in row ? row.Name : undefined;
    processes.push({
      pid: row.ProcessId,
      parent: "ParentProcessId" in row && isNumber(row.ParentProcessId) ? row.ParentProcessId : 0,
      ...(start === undefined ? {} : { start: String(start), startedAt: secondsOfFileTime(start) }),
      // The line of another user's process is hidden, its name is not.
      command: typeof line === "string" ? line : typeof name === "string" ? name : "",
      hasEnded: false,
    });
  }
  return processes;
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value);
}

const UNIX_EPOCH = 116_444_736_000_000_000n;

/** The moment of a Windows file time. */
export function secondsOfFileTime(fileTime: bigint): Seconds {
  return Number(fileTime - UNIX_EPOCH) / 1e7;
}

/** A date as PowerShell may write it: our own file time, `/Date(ms)/` of version 5, ISO 8601 of version 7. */
function fileTimeOf(value: unknown): bigint | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\d{1,20}$/.test(value)) return BigInt(value);
  const milliseconds = Number(/^\/Date\((-?\d+)\)\/$/.exec(value)?.[1] ?? Date.parse(value));
  return Number.isFinite(milliseconds) ? BigInt(Math.round(milliseconds)) * 10_000n + UNIX_EPOCH : undefined;
}

/** The words of a command line: white space parts them, double quotes hold them together. */
export function wordsOf(command: string): string[] {
  return Array.from(command.matchAll(/(?:"[^"]*"|[^\s"])+/g), ([word]) => word.replaceAll('"', ""));
}
