import { Icon, List } from "@raycast/api";
import type { Seconds } from "../../session/report";
import { cutText, printable } from "../../session/text";
import { colorOf } from "../state-icon";
import { ageText, exactTime } from "../time-text";
import { AgentActions, type AgentSurroundings } from "./agent-actions";
import { AgentDetail } from "./agent-detail";
import type { AgentRow } from "./agent-row";
import { AGENT_LOOKS } from "./agent-state";
import { nextText } from "./finding-text";
import { pluginWord } from "./plugin-text";

/** A subtitle says what to do, in a line; the detail pane has all of it. */
const SUBTITLE_LIMIT = 120;

/** A row of the list: an agent and how it stands. */
export function AgentItem({ row, now, ...surroundings }: { row: AgentRow; now: Seconds } & AgentSurroundings) {
  const { isShowingDetail } = surroundings;
  const { word, icon, tone } = AGENT_LOOKS[row.state];
  return (
    <List.Item
      id={row.agent}
      icon={{ value: { source: icon, tintColor: colorOf(tone) }, tooltip: word }}
      title={row.title}
      subtitle={isShowingDetail ? undefined : subtitleOf(row)}
      keywords={[row.agent, ...word.split(/\W+/)]}
      accessories={isShowingDetail ? undefined : accessoriesOf(row, now)}
      detail={isShowingDetail ? <AgentDetail row={row} now={now} /> : undefined}
      actions={<AgentActions row={row} {...surroundings} />}
    />
  );
}

/** What to do, where something is wrong or still to be done; the other rows speak for themselves. */
function subtitleOf(row: AgentRow): string | undefined {
  if (row.state !== "attention" && row.state !== "silent") return undefined;
  const next = nextText(row);
  return next === undefined ? undefined : cutText(printable(next), SUBTITLE_LIMIT);
}

function accessoriesOf(row: AgentRow, now: Seconds): List.Item.Accessory[] {
  const { state, program, version, plugin, lastEventAt } = row;
  const { word, tone } = AGENT_LOOKS[state];
  const accessories: List.Item.Accessory[] = [];
  if (version !== undefined) {
    accessories.push({ text: cutText(printable(version), 24), tooltip: printable(`${program ?? ""} ${version}`) });
  }
  // Who has none need not be told in the list.
  if (plugin?.folders.some((each) => each.state !== "missing") === true) {
    accessories.push({ icon: Icon.Plug, tooltip: `Plugin: ${pluginWord(row) ?? ""}` });
  }
  accessories.push({ tag: { value: word, color: colorOf(tone) }, tooltip: word });
  if (lastEventAt !== undefined) {
    const tooltip = `Its last event came ${exactTime(lastEventAt)}`;
    accessories.push({ icon: Icon.Clock, text: ageText(lastEventAt, now), tooltip });
  }
  return accessories;
}
