import { Icon, MenuBarExtra } from "@raycast/api";
import type { Section } from "../session/section";
import type { State } from "../session/state";
import type { MenuGroup, MenuRow } from "./menu-content";
import { SECTION_TITLES } from "./section-title";
import { sessionIcon, stateIcon } from "./state-icon";

/** Calm sections stand in a submenu of their own, under the icon of a state. */
const CALM: Readonly<Partial<Record<Section, State>>> = {
  scheduled: "scheduled",
  idle: "idle",
  ended: "dormant",
  unknown: "unknown",
};

/** What the rows of the menu do. */
export interface MenuRowActions {
  onOpen: (id?: string) => Promise<void>;
  onRead: (row: MenuRow) => Promise<void>;
}

/** A section of the menu, or a submenu when nothing in it presses. */
export function MenuGroupItems({ group, ...actions }: { group: MenuGroup } & MenuRowActions) {
  const { section, count, rows } = group;
  const title = `${SECTION_TITLES[section]} (${count})`;
  const more = count - rows.length;
  const items = (
    <>
      {rows.map((row) => (
        <MenuRowItem key={row.id} row={row} {...actions} />
      ))}
      {more > 0 && <MenuBarExtra.Item title={`${more} More…`} icon={Icon.Ellipsis} onAction={() => actions.onOpen()} />}
    </>
  );
  const calm = CALM[section];
  if (calm === undefined) return <MenuBarExtra.Section title={title}>{items}</MenuBarExtra.Section>;
  return (
    <MenuBarExtra.Submenu title={title} icon={stateIcon(calm, "calm")}>
      {items}
    </MenuBarExtra.Submenu>
  );
}

/** A session: opens it in the list; with the option key held it marks its answer as read. */
function MenuRowItem({ row, onOpen, onRead }: { row: MenuRow } & MenuRowActions) {
  return (
    <MenuBarExtra.Item
      title={row.title}
      subtitle={row.subtitle === "" ? undefined : row.subtitle}
      icon={sessionIcon(row)}
      tooltip={row.tooltip}
      onAction={() => onOpen(row.id)}
      alternate={
        row.unread ? (
          <MenuBarExtra.Item
            title={`Mark as Read: ${row.title}`}
            subtitle={row.subtitle === "" ? undefined : row.subtitle}
            icon={Icon.CheckCircle}
            onAction={() => onRead(row)}
          />
        ) : undefined
      }
    />
  );
}
