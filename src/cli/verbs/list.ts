import type { Snapshot } from "../../observe/snapshot";
import { describeProblem } from "../../files/problem";
import { printable } from "../../session/text";
import { filterSessions, isFiltering, type Filter } from "../filter";
import { EXIT, wantsColor, widthOf, type CliIo, type ExitCode } from "../io";
import { labelLanguageOf } from "../signal/language";
import { snapshotJson } from "../snapshot-json";
import { takeSnapshot } from "../take-snapshot";

/** How a list is asked for. */
export interface ListRequest extends Filter {
  json: boolean;
}

/** `agent-sessions list`: the sessions as a table or as JSON. A filter that leaves none ends with `nothing`. */
export async function list(request: ListRequest, io: CliIo): Promise<ExitCode> {
  const snapshot = await takeSnapshot(io);
  const sessions = filterSessions(snapshot.sessions, request);
  if (request.json) {
    io.stdout.write(`${JSON.stringify(snapshotJson(snapshot, sessions, labelLanguageOf(io.environment)))}\n`);
  } else {
    io.stdout.write(await listText(snapshot, request, io));
    reportProblems(snapshot, io);
  }
  return sessions.length === 0 && isFiltering(request) ? EXIT.nothing : EXIT.ok;
}

/** The table with a line that sums it up, or what to do when there is nothing to list. */
export async function listText(snapshot: Snapshot, filter: Filter, io: CliIo): Promise<string> {
  const { table } = await import("../table");
  const { summaryLine } = await import("../summary");
  const color = wantsColor(io);
  const width = widthOf(io);
  const sessions = filterSessions(snapshot.sessions, filter);
  if (sessions.length === 0) return emptyText(snapshot, filter);
  const rows = table(sessions, snapshot.at, { color, ...(width === undefined ? {} : { width }) });
  return `${rows}\n${summaryLine(snapshot, color)}\n`;
}

function emptyText({ found, sessions }: Snapshot, filter: Filter): string {
  if (sessions.length > 0 && isFiltering(filter)) return "No session matches the filter.\n";
  if (found.events || found.statusDirectory || found.signalStateFile)
    return "No sessions. They appear as soon as an agent reports one.\n";
  return "No sessions: no agent reports here yet. See the README, section Reporting.\n";
}

/** Names on stderr what is wrong with files, the first few in full. */
export function reportProblems({ problems }: Snapshot, io: CliIo): void {
  const shown = problems.slice(0, 5);
  for (const problem of shown) io.stderr.write(`agent-sessions: ${printable(describeProblem(problem))}\n`);
  const more = problems.length - shown.length;
  if (more > 0) io.stderr.write(`agent-sessions: ${more} more problems; agent-sessions list --json names them all.\n`);
}
