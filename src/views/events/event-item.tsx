import { Icon, List } from "@raycast/api";
import { memo } from "react";
import { changeText, effectTexts, eventText, senderText } from "../../session/event-line";
import type { Seconds } from "../../session/report";
import { cutText, printable } from "../../session/text";
import { agentTitle } from "../agent-title";
import { colorOf } from "../state-icon";
import { ageText, exactTime } from "../time-text";
import { EventActions, type EventSurroundings } from "./event-actions";
import { EventDetail } from "./event-detail";
import { eventLook } from "./event-look";
import { keywordsOf, ownerOf, type EventRow } from "./event-row";

/** A subtitle says whose it is and what else it did, in a line; the detail pane has all of it. */
const SUBTITLE_LIMIT = 120;

type ItemProperties = { row: EventRow; now: Seconds } & EventSurroundings;

/** A row of the timeline. It renders anew only when it would look different: there are many, and they change often. */
export const EventItem = memo(EventRowItem, looksTheSame);

function looksTheSame({ row: one, now: before, ...rest }: ItemProperties, next: ItemProperties): boolean {
  const { row, now, isShowingDetail, onToggleDetail, onRefresh, onChoose } = next;
  return (
    one.id === row.id &&
    one.title === row.title &&
    JSON.stringify(one.entry) === JSON.stringify(row.entry) &&
    rest.isShowingDetail === isShowingDetail &&
    rest.onToggleDetail === onToggleDetail &&
    rest.onRefresh === onRefresh &&
    rest.onChoose === onChoose &&
    // The detail pane says more of the time than a row does.
    (before === now || (!isShowingDetail && ageText(row.entry.at, before) === ageText(row.entry.at, now)))
  );
}

function EventRowItem({ row, now, ...surroundings }: ItemProperties) {
  const { isShowingDetail } = surroundings;
  const { icon, tooltip } = eventLook(row.entry);
  return (
    <List.Item
      id={row.id}
      icon={{ value: icon, tooltip }}
      title={eventText(row.entry)}
      subtitle={isShowingDetail ? undefined : subtitleOf(row)}
      keywords={keywordsOf(row)}
      accessories={isShowingDetail ? undefined : accessoriesOf(row, now)}
      detail={isShowingDetail ? <EventDetail row={row} now={now} /> : undefined}
      actions={<EventActions row={row} {...surroundings} />}
    />
  );
}

function subtitleOf(row: EventRow): string | undefined {
  const parts = [ownerOf(row), ...effectTexts(row.entry)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : cutText(parts.join(" – "), SUBTITLE_LIMIT);
}

function accessoriesOf({ entry }: EventRow, now: Seconds): List.Item.Accessory[] {
  const { tone } = eventLook(entry);
  const accessories: List.Item.Accessory[] = [];
  if (entry.outcome === "event" && entry.subagent !== undefined) {
    accessories.push({ icon: Icon.TwoPeople, tooltip: `Subagent ${printable(entry.subagent)}` });
  }
  const change = changeText(entry);
  accessories.push({ tag: { value: change, color: colorOf(tone) }, tooltip: `Came by ${senderText(entry)}` });
  if (entry.agent !== undefined) {
    const agent = printable(agentTitle(entry.agent));
    accessories.push({ text: cutText(agent, 24), tooltip: `Agent: ${agent}` });
  }
  accessories.push({ text: ageText(entry.at, now), tooltip: exactTime(entry.at) });
  return accessories;
}
