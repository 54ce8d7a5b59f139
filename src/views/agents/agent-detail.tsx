import { List } from "@raycast/api";
import type { Seconds } from "../../session/report";
import { printable } from "../../session/text";
import { fenced } from "../plain-text";
import { colorOf } from "../state-icon";
import { exactTime, relativeTime } from "../time-text";
import type { AgentRow } from "./agent-row";
import { AGENT_LOOKS } from "./agent-state";
import { findingText, nextText } from "./finding-text";
import { pluginFindingText, pluginWord } from "./plugin-text";

const { Label, Separator, TagList } = List.Item.Detail.Metadata;

/** Everything found of an agent: what to do and what its settings hold on top, the facts below. */
export function AgentDetail({ row, now }: { row: AgentRow; now: Seconds }) {
  const { word, tone } = AGENT_LOOKS[row.state];
  const { lastEventAt, program, version } = row;
  const plugin = pluginWord(row);
  return (
    <List.Item.Detail
      markdown={markdownOf(row)}
      metadata={
        <List.Item.Detail.Metadata>
          <TagList title="State">
            <TagList.Item text={word} color={colorOf(tone)} />
          </TagList>
          <Label
            title="Last Event"
            text={
              lastEventAt === undefined ? "None yet" : `${relativeTime(lastEventAt, now)} (${exactTime(lastEventAt)})`
            }
          />
          <Separator />
          <Label title="Program" text={program === undefined ? "Not found" : printable(program)} />
          {version !== undefined && <Label title="Version" text={printable(version)} />}
          {plugin !== undefined && <Label title="Plugin" text={plugin} />}
        </List.Item.Detail.Metadata>
      }
    />
  );
}

/** Paths and reasons are data: each stands in a code block. */
function markdownOf(row: AgentRow): string {
  const { plugin } = row;
  const next = nextText(row);
  const notes = row.notes.filter((note) => note !== next);
  return [
    ...(next === undefined ? [] : ["**Next Step**", fenced(next)]),
    "**Settings**",
    fenced(row.settings.map((finding) => `${finding.path}\n  ${findingText(finding)}`).join("\n\n")),
    ...(plugin === undefined
      ? []
      : [
          "**Plugin**",
          fenced(
            plugin.folders.map((each) => `${each.folder}\n  ${pluginFindingText(each, plugin.version)}`).join("\n\n"),
          ),
        ]),
    ...(notes.length === 0 ? [] : ["**To Be Known**", fenced(notes.join("\n"))]),
  ].join("\n\n");
}
