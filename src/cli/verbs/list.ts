import { isUnreported, type Snapshot } from "../../observe/snapshot";
import { printableJson } from "../../session/text";
import { sortByCold } from "../../session/sort";
import type { Session } from "../../session/session";
import { filterSessions, isFiltering, type Filter } from "../filter";
import { EXIT, wantsColor, widthOf, type CliIo, type ExitCode } from "../io";
import { labelLanguageOf } from "../signal/language";
import { reportProblems } from "../problem-lines";
import { snapshotJson } from "../snapshot-json";
import { takeSnapshot } from "../take-snapshot";

/** How a list is asked for. */
export interface ListRequest extends Filter {
  json: boolean;
  /** The overview: name, topic, context, version, cache, whether it can be asked to pause, and how that goes. */
  wide?: boolean;
  /** `cold`: what goes cold next comes first. Absent: who needs you first. */
  sort?: "cold";
}

/** `agent-sessions list`: the sessions as a table or as JSON. A filter that leaves none ends with `nothing`. */
export async function list(request: ListRequest, io: CliIo): Promise<ExitCode> {
  const snapshot = await takeSnapshot(io);
  const sessions = chosen(snapshot, request);
  if (request.json) {
    io.stdout.write(`${printableJson(snapshotJson(snapshot, sessions, labelLanguageOf(io.environment)))}\n`);
  } else {
    io.stdout.write(await listText(snapshot, request, io));
    if (isUnreported(snapshot)) io.stderr.write(SET_UP_HINT);
    reportProblems(snapshot, io);
  }
  return sessions.length === 0 && isFiltering(request) ? EXIT.nothing : EXIT.ok;
}

/** The table with a line that sums it up, or what to do when there is nothing to list. */
export async function listText(snapshot: Snapshot, request: Omit<ListRequest, "json">, io: CliIo): Promise<string> {
  const color = wantsColor(io);
  const width = widthOf(io);
  const sessions = chosen(snapshot, request);
  if (sessions.length === 0) return emptyText(snapshot, request);
  const style = { color, ...(width === undefined ? {} : { width }) };
  if (request.wide === true) {
    const { wideTable, wideSummary } = await import("../wide-table");
    return `${wideTable(sessions, snapshot.at, style)}\n${wideSummary(sessions, snapshot.at, color)}\n`;
  }
  const { table } = await import("../table");
  const { summaryLine } = await import("../summary");
  const rows = table(sessions, snapshot.at, style);
  return `${rows}\n${summaryLine(snapshot, color)}\n`;
}

/** The sessions that are asked for, in the order that is asked for. */
function chosen({ sessions, at }: Snapshot, request: Omit<ListRequest, "json">): Session[] {
  const found = filterSessions(sessions, request);
  return request.sort === "cold" ? sortByCold(found, at) : found;
}

const SET_UP_HINT =
  "agent-sessions: no agent reports here yet. agent-sessions setup adds what each session wants, unread answers, and what runs beside it.\n";

function emptyText({ found, sessions }: Snapshot, filter: Filter): string {
  if (sessions.length > 0 && isFiltering(filter)) return "No session matches the filter.\n";
  if (found.events || found.statusDirectory || found.signalStateFile || found.registry)
    return "No sessions. They appear as soon as an agent reports one.\n";
  return "No sessions: no agent reports here yet. agent-sessions setup sets your agents up.\n";
}
