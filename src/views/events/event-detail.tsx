import { List } from "@raycast/api";
import { changeText, effectTexts, eventText, senderText } from "../../session/event-line";
import { LOOKS } from "../../session/looks";
import type { Seconds } from "../../session/report";
import { printable } from "../../session/text";
import { agentTitle } from "../agent-title";
import { fenced } from "../plain-text";
import { colorOf } from "../state-icon";
import { exactTime, relativeTime } from "../time-text";
import { eventLook } from "./event-look";
import type { EventRow } from "./event-row";

const { Label, Separator, TagList } = List.Item.Detail.Metadata;

/** Everything kept of an event: what it did on top, the facts below. */
export function EventDetail({ row, now }: { row: EventRow; now: Seconds }) {
  const { entry, title } = row;
  const event = entry.outcome === "event" ? entry : undefined;
  return (
    <List.Item.Detail
      markdown={markdownOf(row)}
      metadata={
        <List.Item.Detail.Metadata>
          {event === undefined ? (
            <TagList title="Outcome">
              <TagList.Item text={changeText(entry)} color={colorOf(eventLook(entry).tone)} />
            </TagList>
          ) : (
            <>
              {event.before !== undefined && (
                <TagList title="State Before">
                  <TagList.Item text={LOOKS[event.before].word} color={colorOf(LOOKS[event.before].tone)} />
                </TagList>
              )}
              <TagList title={event.before === event.after ? "State After, Unchanged" : "State After"}>
                <TagList.Item text={LOOKS[event.after].word} color={colorOf(LOOKS[event.after].tone)} />
              </TagList>
            </>
          )}
          <Label title="Came" text={`${relativeTime(entry.at, now)} (${exactTime(entry.at)})`} />
          <Separator />
          <Fact title="Event" text={entry.event} />
          <Fact title="Tool" text={event?.tool} />
          {entry.outcome !== "rejected" && <Label title="From" text={CHANNEL_TEXTS[entry.from]} />}
          <Fact title="Subagent" text={event?.subagent} />
          <Separator />
          <Fact title="Agent" text={entry.agent === undefined ? undefined : agentTitle(entry.agent)} />
          <Fact title="Session" text={title} />
          <Fact title="Session ID" text={event?.sessionId} />
        </List.Item.Detail.Metadata>
      }
    />
  );
}

const CHANNEL_TEXTS = {
  hook: "A hook of the agent",
  plugin: "Our plugin in the agent",
  notify: "The agent's notify program",
} as const;

function Fact({ title, text }: { title: string; text: string | undefined }) {
  return text === undefined || text === "" ? null : <Label title={title} text={printable(text)} />;
}

/** What stands in it is data: in code blocks. */
function markdownOf({ entry }: EventRow): string {
  const effects = effectTexts(entry);
  return [
    fenced(`${eventText(entry)}\n${senderText(entry)}`),
    "**What It Did**",
    fenced([changeText(entry), ...effects].join("\n")),
  ].join("\n\n");
}
