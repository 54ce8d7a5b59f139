import type { AgentProcess, Seconds } from "../session/report";

/** A process that runs, as far as the system tells it to anybody. */
export interface RunningProcess {
  pid: number;
  parent: number;
  /** The terminal it belongs to, as a path (`/dev/ttys003`, `/dev/pts/4`); absent: none. */
  tty?: string;
  /** The name of its program; on macOS the path. Never its arguments. */
  command: string;
  /** When it started; absent where the system does not say. */
  startedAt?: Seconds;
}

/** Whether a process still is the one it was. */
export type Identification = "same" | "gone" | "another";

/** A process may be noted this long before the clock of its start says it was there, in seconds. */
const SLACK = 2;

/** No line of parents is longer: a table that was read while it changed could go round. */
const DEPTH = 64;

/** The processes of this machine at one moment. */
export class ProcessTree {
  private readonly processes: ReadonlyMap<number, RunningProcess>;

  constructor(processes: Iterable<RunningProcess>) {
    this.processes = new Map(Array.from(processes, (each) => [each.pid, each]));
  }

  get(pid: number): RunningProcess | undefined {
    return this.processes.get(pid);
  }

  all(): Iterable<RunningProcess> {
    return this.processes.values();
  }

  /** A process and those it descends from, from the inside out. */
  line(pid: number): RunningProcess[] {
    const line: RunningProcess[] = [];
    for (let next = this.processes.get(pid); next !== undefined; next = this.processes.get(next.parent)) {
      if (line.length === DEPTH || line.includes(next)) break;
      line.push(next);
    }
    return line;
  }

  /** Whether a process is another one, or descends from it. */
  descends(pid: number, ancestor: number): boolean {
    return this.line(pid).some((each) => each.pid === ancestor);
  }

  /** Whether the process behind a session still runs: a number is used again. */
  identify({ pid, knownAt }: AgentProcess): Identification {
    const process = this.processes.get(pid);
    if (process === undefined) return "gone";
    return process.startedAt !== undefined && process.startedAt > knownAt + SLACK ? "another" : "same";
  }
}

/**
 * Reads what `ps -axo pid=,ppid=,tty=,lstart=,comm=` prints in the C locale and UTC. The start has five words (`ps(1)` of
 * macOS and procps); the command is the rest of the line, since it may hold blanks.
 */
export function processesOfPs(output: string): RunningProcess[] {
  return output.split("\n").flatMap((line) => {
    const [, pid, parent, tty, start, command] =
      /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\d{4})\s+(.+?)\s*$/.exec(line) ?? [];
    if (pid === undefined || parent === undefined || tty === undefined || command === undefined) return [];
    const started = start === undefined ? NaN : Date.parse(`${start} UTC`);
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        command,
        ...(/^\?+$/.test(tty) || tty === "-" ? {} : { tty: tty.startsWith("/dev/") ? tty : `/dev/${tty}` }),
        ...(Number.isNaN(started) ? {} : { startedAt: started / 1000 }),
      },
    ];
  });
}

/** Linux counts process starts in hundredths of a second (USER_HZ), on every architecture Node runs on. */
const TICKS_PER_SECOND = 100;

/**
 * Reads a process from its `/proc/PID/stat` (proc(5)).
 *
 * @param bootAt when the machine started; absent: unknown
 */
export function processOfStat(stat: string, bootAt?: Seconds): RunningProcess | undefined {
  // The second field is the name in parentheses and may hold anything, parentheses too.
  const open = stat.indexOf("(");
  const close = stat.lastIndexOf(")");
  if (open < 0 || close < open) return undefined;
  const pid = Number(stat.slice(0, open));
  const [state, parent, , , terminal, ...rest] = stat.slice(close + 2).split(" ");
  if (!Number.isSafeInteger(pid) || pid <= 0 || parent === undefined) return undefined;
  // One that has ended and waits for its parent to take note does not run.
  if (state === "Z" || state === "X") return undefined;
  const ticks = Number(rest[14]);
  const tty = ttyOfDevice(Number(terminal));
  return {
    pid,
    parent: Number(parent),
    command: stat.slice(open + 1, close),
    ...(tty === undefined ? {} : { tty }),
    ...(bootAt === undefined || Number.isNaN(ticks) ? {} : { startedAt: bootAt + ticks / TICKS_PER_SECOND }),
  };
}

/** The path of a terminal from its device number: majors 136 to 143 are pseudo terminals, 4 the console's. */
function ttyOfDevice(device: number): string | undefined {
  const major = (device >> 8) & 0xfff;
  const minor = (device & 0xff) | ((device >> 12) & 0xfff00);
  if (major >= 136 && major <= 143) return `/dev/pts/${(major - 136) * 256 + minor}`;
  if (major === 4) return minor < 64 ? `/dev/tty${minor}` : `/dev/ttyS${minor - 64}`;
  return undefined;
}
