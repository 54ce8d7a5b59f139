import {
  Icon,
  Keyboard,
  launchCommand,
  LaunchType,
  MenuBarExtra,
  openCommandPreferences,
  openExtensionPreferences,
  showHUD,
} from "@raycast/api";
import { useCachedPromise } from "@raycast/utils";
import { observe } from "../observe/observer";
import { reasonOf } from "../session/failure";
import { cutText, printable } from "../session/text";
import { markAllRead, markRead } from "./marking";
import { countOf, isQuiet, MENU_CONTENT_VERSION, menuContentOf, type MenuContent } from "./menu-content";
import { MenuGroupItems } from "./menu-group";
import { changeMonitoring } from "./monitoring";
import type { PreferenceProblem } from "./preference-problems";
import { readSettings, settingsToRead } from "./settings";
import { aggregateIcon } from "./state-icon";

/**
 * The menu bar: the aggregate as icon, the number of those that need the user, and every session by urgency. While nothing
 * is up it hides, if the user wants that.
 */
export function SessionsMenu() {
  const {
    watched: { places, cacheTtl },
    menuBar,
    problems: wrong,
  } = readSettings();
  const isStopped = wrong.some(({ stops }) => stops === "reading");
  // What is kept is kept by what it was read of: only data, the same in every run.
  const readOf = { places, cacheTtl };
  const read = useCachedPromise(readMenu, [readOf, MENU_CONTENT_VERSION], {
    execute: !isStopped,
    // Shown as an item of the menu: there are no toasts in the background.
    onError: () => undefined,
  });
  const { isLoading, mutate, revalidate } = read;
  const data = isStopped ? undefined : read.data;
  const error = isStopped ? undefined : read.error;
  const isInDoubt = isStopped || error !== undefined;
  // Not before it is known: a run that draws nothing may end at once, and would never see that something is up again.
  const isKnown = !isLoading && !isInDoubt && data !== undefined;
  if (menuBar.hides && isKnown && wrong.length === 0 && isQuiet(data, menuBar)) return null;
  const counted = data === undefined ? 0 : countOf(data, menuBar);
  return (
    <MenuBarExtra
      icon={aggregateIcon(isInDoubt ? "stale" : (data?.displayState ?? "ready"))}
      title={counted > 0 ? String(counted) : undefined}
      tooltip={data?.tooltip ?? "Agent Sessions"}
      isLoading={isLoading}
    >
      {wrong.map((problem) => (
        <PreferenceMenuItem key={problem.reason} problem={problem} />
      ))}
      {error !== undefined && (
        <MenuBarExtra.Item
          title="Sessions Cannot Be Read"
          subtitle={cutText(printable(reasonOf(error)), 80)}
          icon={Icon.ExclamationMark}
          onAction={() => revalidate()}
        />
      )}
      {data?.displayState === "paused" && (
        <MenuBarExtra.Item title="Monitoring Is Paused" icon={aggregateIcon("paused")} />
      )}
      {data?.groups.map((group) => (
        <MenuGroupItems
          key={group.section}
          group={group}
          onOpen={openList}
          onRead={(row) => say(() => mutate(markRead(row)), "Could Not Mark as Read")}
        />
      ))}
      <MenuBarExtra.Section>
        {data?.groups.length === 0 && <MenuBarExtra.Item title="No Sessions" />}
        {data !== undefined && data.problems.count > 0 && (
          <MenuBarExtra.Item
            title={data.problems.count === 1 ? "1 Problem" : `${data.problems.count} Problems`}
            icon={Icon.ExclamationMark}
            tooltip={data.problems.text}
            onAction={() => openList()}
          />
        )}
        {data !== undefined && data.unread > 0 && (
          <MenuBarExtra.Item
            title="Mark All as Read"
            icon={Icon.Check}
            onAction={() => say(() => mutate(markAllRead()), "Could Not Mark All as Read")}
          />
        )}
        {data !== undefined && (
          <MenuBarExtra.Item
            title={data.displayState === "paused" ? "Resume Monitoring" : "Pause Monitoring"}
            icon={data.displayState === "paused" ? Icon.Play : Icon.Pause}
            onAction={() => {
              const what = data.displayState === "paused" ? "resume" : "pause";
              return say(() => mutate(changeMonitoring(what)), "Could Not Change Monitoring");
            }}
          />
        )}
        <MenuBarExtra.Item
          title="Search Sessions"
          icon={Icon.MagnifyingGlass}
          shortcut={Keyboard.Shortcut.Common.Open}
          onAction={() => openList()}
        />
        <MenuBarExtra.Item
          title="Refresh"
          icon={Icon.ArrowClockwise}
          shortcut={Keyboard.Shortcut.Common.Refresh}
          onAction={() => revalidate()}
        />
        <MenuBarExtra.Item title="Configure Command" icon={Icon.Gear} onAction={openCommandPreferences} />
      </MenuBarExtra.Section>
    </MenuBarExtra>
  );
}

/** A preference that is wrong, with the way to it. */
function PreferenceMenuItem({ problem: { title, reason } }: { problem: PreferenceProblem }) {
  return (
    <MenuBarExtra.Item
      title={`${title} Cannot Be Used`}
      subtitle={cutText(reason, 80)}
      tooltip={reason}
      icon={Icon.ExclamationMark}
      onAction={() => openExtensionPreferences()}
    />
  );
}

/** Its arguments are what a kept answer is good for: these places, and this version of what is kept. */
async function readMenu(readOf: object, version: number): Promise<MenuContent> {
  void readOf;
  void version;
  return menuContentOf(await observe(settingsToRead().watched));
}

/** Opens the list, at a session. The list command may not be enabled: then say so. */
async function openList(id?: string): Promise<void> {
  try {
    await launchCommand({
      name: "search-sessions",
      type: LaunchType.UserInitiated,
      ...(id === undefined ? {} : { context: { id } }),
    });
  } catch {
    await showHUD("Enable Search Sessions in the Extension's Settings");
  }
}

/** Carries out an action of the menu, which closes on it: what happened shows in a HUD. */
async function say(work: () => Promise<string>, failed: string): Promise<void> {
  try {
    await showHUD(await work());
  } catch (error) {
    await showHUD(`${failed}: ${printable(reasonOf(error))}`);
  }
}
