import { Icon, Keyboard, launchCommand, LaunchType, MenuBarExtra, openCommandPreferences, showHUD } from "@raycast/api";
import { useCachedPromise } from "@raycast/utils";
import { observe } from "../observe/observer";
import type { Snapshot } from "../observe/snapshot";
import { reasonOf } from "../session/failure";
import { LOOKS, wantOf } from "../session/looks";
import { SECTIONS, sectionOf, type Section } from "../session/section";
import type { Session } from "../session/session";
import { cutText, printable } from "../session/text";
import { markAllRead, markRead } from "./marking";
import { SECTION_TITLES } from "./section-title";
import { readSettings } from "./settings";
import { aggregateIcon, sessionIcon } from "./state-icon";
import { exactTime } from "./time-text";

/** A section shows this many; the list has them all. */
const SHOWN = 10;

/** Calm sections stand in a submenu of their own. */
const CALM: readonly Section[] = ["scheduled", "idle", "ended", "unknown"];

/** The menu bar: the aggregate as icon, the number of those that need the user, and every session by urgency. */
export function SessionsMenu() {
  const { places, countUnread } = readSettings();
  const { data, error, isLoading, mutate, revalidate } = useCachedPromise(async () => observe({ places }), [], {
    keepPreviousData: true,
    // Shown as an item of the menu: there are no toasts in the background.
    onError: () => undefined,
  });
  const counted = data === undefined ? 0 : data.aggregate.needsYou + (countUnread ? data.aggregate.unread : 0);
  return (
    <MenuBarExtra
      icon={aggregateIcon(error === undefined ? (data?.aggregate.displayState ?? "ready") : "stale")}
      title={counted > 0 ? String(counted) : undefined}
      tooltip={data === undefined ? "Agent Sessions" : tooltipOf(data)}
      isLoading={isLoading}
    >
      {error !== undefined && (
        <MenuBarExtra.Item
          title="Sessions Cannot Be Read"
          subtitle={cutText(printable(reasonOf(error)), 80)}
          icon={Icon.ExclamationMark}
          onAction={() => revalidate()}
        />
      )}
      {data !== undefined &&
        SECTIONS.map((section) => (
          <MenuSection
            key={section}
            section={section}
            sessions={data.sessions.filter((session) => sectionOf(session) === section)}
            onRead={async (session) => {
              await tell(() => mutate(markRead(session)));
            }}
          />
        ))}
      <MenuBarExtra.Section>
        {data !== undefined && data.sessions.length === 0 && <MenuBarExtra.Item title="No Sessions" />}
        {data !== undefined && data.problems.length > 0 && (
          <MenuBarExtra.Item
            title={`${data.problems.length} ${data.problems.length === 1 ? "Problem" : "Problems"}`}
            icon={Icon.ExclamationMark}
            tooltip={printable(data.problems.map(({ file, reason }) => `${file}: ${reason}`).join("\n")).slice(0, 500)}
            onAction={() => openList()}
          />
        )}
        {data !== undefined && data.aggregate.unread > 0 && (
          <MenuBarExtra.Item
            title="Mark All as Read"
            icon={Icon.CheckList}
            onAction={async () => {
              await tell(() => mutate(markAllRead()));
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

function MenuSection({
  section,
  sessions,
  onRead,
}: {
  section: Section;
  sessions: Session[];
  onRead: (session: Session) => Promise<void>;
}) {
  if (sessions.length === 0) return null;
  const title = `${SECTION_TITLES[section]} (${sessions.length})`;
  const items = distinct(sessions.slice(0, SHOWN)).map(({ session, name, subtitle }) => (
    <MenuBarExtra.Item
      key={session.id}
      title={name}
      subtitle={subtitle}
      icon={sessionIcon(session)}
      tooltip={itemTooltip(session)}
      onAction={() => openList(session.id)}
      alternate={
        session.unread ? (
          <MenuBarExtra.Item
            title={`Mark as Read: ${name}`}
            subtitle={subtitle}
            icon={Icon.CheckCircle}
            onAction={() => onRead(session)}
          />
        ) : undefined
      }
    />
  ));
  const more = sessions.length - SHOWN;
  const rest = more > 0 && <MenuBarExtra.Item title={`${more} More…`} onAction={() => openList()} />;
  if (CALM.includes(section)) {
    return (
      <MenuBarExtra.Submenu title={title} icon={{ source: `${LOOKS[calmState(section)].icon}.png` }}>
        {items}
        {rest}
      </MenuBarExtra.Submenu>
    );
  }
  return (
    <MenuBarExtra.Section title={title}>
      {items}
      {rest}
    </MenuBarExtra.Section>
  );
}

function calmState(section: Section): "scheduled" | "idle" | "dormant" | "unknown" {
  switch (section) {
    case "scheduled":
      return "scheduled";
    case "ended":
      return "dormant";
    case "unknown":
      return "unknown";
    default:
      return "idle";
  }
}

/** Items that look the same share one action in the launcher: those get the beginning of their id. */
function distinct(sessions: readonly Session[]): { session: Session; name: string; subtitle: string }[] {
  const rows = sessions.map((session) => ({
    session,
    name: cutText(printable(session.title), 60),
    subtitle: cutText(printable(subtitleOf(session)), 60),
  }));
  const looks = rows.map(({ session, name, subtitle }) => `${name}\n${subtitle}\n${session.state}`);
  return rows.map((row, index) =>
    looks.indexOf(looks[index] ?? "") === looks.lastIndexOf(looks[index] ?? "")
      ? row
      : { ...row, subtitle: `${row.subtitle} [${cutText(printable(row.session.sessionId), 40)}]`.trim() },
  );
}

function subtitleOf(session: Session): string {
  const project = session.project === session.title ? undefined : session.project;
  const want = session.needsYou ? (session.message ?? wantOf(session)) : undefined;
  return [project, want].filter((part) => part !== undefined).join(" – ");
}

function itemTooltip(session: Session): string {
  const want = session.message ?? wantOf(session);
  const lines = [
    `${LOOKS[session.state].word} since ${exactTime(session.since)}`,
    session.unread ? "Unread answer" : undefined,
    want,
    session.cwd,
  ];
  return printable(lines.filter((line) => line !== undefined).join(" · "));
}

function tooltipOf({ aggregate }: Snapshot): string {
  const { needsYou, unread, working, total, displayState } = aggregate;
  const paused = displayState === "paused" ? "Monitoring is paused. " : "";
  return `${paused}${needsYou} need you, ${unread} unread, ${working} working, ${total} in all`;
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
async function tell(work: () => Promise<string>): Promise<void> {
  try {
    await showHUD(await work());
  } catch (error) {
    await showHUD(`Could Not Mark as Read: ${reasonOf(error)}`);
  }
}
