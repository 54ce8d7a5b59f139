import { alfredAnswer } from "../../src/cli/bars/alfred";
import { promptText } from "../../src/cli/bars/prompt";
import { segmentOf } from "../../src/cli/bars/segment";
import { swiftbarText } from "../../src/cli/bars/swiftbar";
import { tmuxText } from "../../src/cli/bars/tmux";
import { waybarAnswer } from "../../src/cli/bars/waybar";
import { detailText } from "../../src/cli/detail-text";
import { explainText } from "../../src/cli/explain-text";
import { sessionDetailJson, snapshotJson, statusJson } from "../../src/cli/snapshot-json";
import { summaryLine } from "../../src/cli/summary";
import { table } from "../../src/cli/table";
import { wideSummary, wideTable } from "../../src/cli/wide-table";
import type { Snapshot } from "../../src/observe/snapshot";
import { sessionMarkdown } from "../../src/views/session-text";
import { calmFault } from "./calm";

const SEGMENT = { always: true, short: false, title: true };

/** Every text that a snapshot becomes; a snapshot that one of them cannot be made of is no use. */
function textsOf(snapshot: Snapshot): string[] {
  const { sessions, at } = snapshot;
  const segment = segmentOf(snapshot, SEGMENT);
  const command = ["/usr/bin/node", "/opt/agent-sessions.js"] as const;
  return [
    table(sessions, at, { color: false, width: 80 }),
    table(sessions, at, { color: false }),
    wideTable(sessions, at, { color: false, width: 120 }),
    wideSummary(sessions, at, false),
    summaryLine(snapshot, false),
    ...sessions.flatMap((session) => [
      detailText(session, at, false),
      explainText(session, at, false),
      sessionMarkdown(session, at),
    ]),
    swiftbarText(snapshot, { host: "swiftbar", countUnread: true, command }),
    swiftbarText(snapshot, { host: "xbar", countUnread: false }),
    tmuxText(segment, false),
    promptText(segment, "zsh", false),
    ...Object.values(waybarAnswer(snapshot, SEGMENT)).map(String),
    ...alfredAnswer(snapshot, { needsMe: false }).items.flatMap(({ title, subtitle, match }) => [
      title,
      subtitle,
      match,
    ]),
  ];
}

/** A snapshot can be shown everywhere: nothing throws, no text steers what shows it, and what is JSON is JSON again. */
export function expectShowable(snapshot: Snapshot): void {
  for (const text of textsOf(snapshot)) {
    const fault = calmFault(text);
    if (fault !== undefined) throw new Error(`a text holds ${fault}: ${JSON.stringify(text.slice(0, 600))}`);
  }
  const values = [
    snapshotJson(snapshot, snapshot.sessions, "en"),
    statusJson(snapshot, "en"),
    ...snapshot.sessions.map((session) => sessionDetailJson(session, snapshot.at)),
  ];
  for (const value of values) expect(JSON.parse(JSON.stringify(value))).toEqual(value);
  const ids = snapshot.sessions.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
}
