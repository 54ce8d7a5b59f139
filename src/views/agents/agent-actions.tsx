import { Action, ActionPanel, Icon, Keyboard, useNavigation } from "@raycast/api";
import { extname, isAbsolute } from "node:path";
import { printable } from "../../session/text";
import { DetailAction, RefreshAction } from "../session-actions";
import type { AgentRow } from "./agent-row";
import type { Change } from "./change-plan";
import { ChangeView } from "./change-view";
import { pluginOffer } from "./plugin-text";

/** What the actions of a row act on beside its agent. */
export interface AgentSurroundings {
  isShowingDetail: boolean;
  onToggleDetail: () => void;
  onRefresh: () => Promise<void>;
}

/** The actions of an agent, the one that helps first. */
export function AgentActions({ row, ...surroundings }: { row: AgentRow } & AgentSurroundings) {
  const { onRefresh } = surroundings;
  const { agent, title, canSetUp, canRemove, next } = row;
  const { push } = useNavigation();
  const pushChange = (part: Change["part"], removes: boolean) => {
    const version = row.version === undefined ? {} : { version: row.version };
    push(<ChangeView change={{ agent, part, removes, ...version }} title={title} onDone={onRefresh} />);
  };
  const plugin = pluginOffer(row);
  const setUp = canSetUp && (
    <Action
      // eslint-disable-next-line @raycast/prefer-title-case -- "Up" belongs to the verb, as in the command's own title
      title="Set Up"
      icon={Icon.Plug}
      shortcut={Keyboard.Shortcut.Common.New}
      onAction={() => pushChange("set-up", false)}
    />
  );
  const toCopy = next ?? row.notes[0];
  return (
    <ActionPanel>
      <ActionPanel.Section>
        {row.state !== "not-found" && setUp}
        <DetailAction {...surroundings} />
        {row.state === "not-found" && setUp}
        <OpenSettingsAction row={row} />
        {plugin.title !== undefined && (
          <Action title={plugin.title} icon={Icon.Download} onAction={() => pushChange("plugin", false)} />
        )}
      </ActionPanel.Section>
      <ActionPanel.Section>
        {toCopy !== undefined && (
          <Action.CopyToClipboard
            title="Copy Next Step"
            icon={Icon.Clipboard}
            content={printable(toCopy)}
            shortcut={Keyboard.Shortcut.Common.Copy}
          />
        )}
        <RefreshAction onRefresh={onRefresh} />
      </ActionPanel.Section>
      {(canRemove || plugin.canRemove) && (
        <ActionPanel.Section>
          {plugin.canRemove && (
            <Action
              title="Remove Claude Plugin…"
              icon={Icon.Trash}
              style={Action.Style.Destructive}
              onAction={() => pushChange("plugin", true)}
            />
          )}
          {canRemove && (
            <Action
              title="Remove"
              icon={Icon.Trash}
              style={Action.Style.Destructive}
              shortcut={Keyboard.Shortcut.Common.Remove}
              onAction={() => pushChange("set-up", true)}
            />
          )}
        </ActionPanel.Section>
      )}
    </ActionPanel>
  );
}

/** What an editor opens. The rest are plugins, which a system may run when they are opened: those are only shown. */
const OPENED = new Set([".json", ".toml", ".yml", ".yaml"]);

/** Opens the settings file that needs a look, or else the first one there is. */
function OpenSettingsAction({ row: { settings } }: { row: AgentRow }) {
  const there = settings.filter(({ path, exists }) => exists && isAbsolute(path) && printable(path) === path);
  const chosen = there.find(({ state }) => state === "refused" || state === "outdated") ?? there[0];
  if (chosen === undefined) return null;
  return OPENED.has(extname(chosen.path)) ? (
    <Action.Open
      title="Open Settings File"
      icon={Icon.Document}
      target={chosen.path}
      shortcut={Keyboard.Shortcut.Common.Open}
    />
  ) : (
    <Action.ShowInFinder
      title="Show Settings File"
      icon={Icon.Finder}
      path={chosen.path}
      shortcut={Keyboard.Shortcut.Common.Open}
    />
  );
}
