import { List } from "@raycast/api";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import { FactLines } from "./fact-lines";
import { factsOf } from "./session-facts";
import { sessionMarkdown, type LastEvents } from "./session-text";

const { Metadata } = List.Item.Detail;

interface DetailProperties {
  session: Session;
  now: Seconds;
  /** When the row was so, where it is of the last opening. */
  asOf?: Seconds;
  /** Of the selected row alone: reading them takes a file each. */
  events?: LastEvents;
}

/** Everything known of a session, beside the list: what it wants, does and did last on top, the facts below. */
export function SessionDetail({ session, now, asOf, events }: DetailProperties) {
  return (
    <List.Item.Detail
      markdown={sessionMarkdown(session, now, events)}
      metadata={
        <Metadata>
          <FactLines facts={factsOf(session, now, asOf)} parts={Metadata} />
        </Metadata>
      }
    />
  );
}
