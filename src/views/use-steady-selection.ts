import { useEffect, useRef, useState } from "react";

/** Within this time of seeing a row nobody has read it and reached for a key, in milliseconds. */
const READING_MS = 500;

/** What a selection is to know of its rows. */
export interface SelectionRules {
  /** The row to begin at. */
  first?: string;
  /** The rows are of the last opening: the present ones will take their place. */
  isProvisional?: boolean;
  /** Whether the view shows something of the selected row, and renders anew when that is another. */
  isFollowed?: boolean;
}

/** What keeps the selection on a row: properties for the list. */
export interface SteadySelection {
  selectedItemId?: string;
  onSelectionChange: (id: string | null) => void;
}

/**
 * Keeps the selection on the row the user is at when others move around it: an action must never hit a row that has
 * just slipped under the cursor. Between such moves the launcher moves the selection alone.
 *
 * One case is different: where the rows of the last opening give way to the present ones before anybody can have read
 * them, a selection that the user did not move stays at the top. It stood for no session, but for the most urgent one.
 *
 * @param ids the rows in their order
 * @returns the properties, and the row that is selected, as far as the launcher told
 */
export function useSteadySelection(
  ids: readonly string[],
  { first, isProvisional = false, isFollowed = false }: SelectionRules = {},
): { selection: SteadySelection; selectedId?: string } {
  const selected = useRef<string>(undefined);
  const [wanted, setWanted] = useState(first);
  const [, setSeen] = useState<string>();
  const order = ids.join("\n");
  const shown = useRef({ order, isProvisional });
  const shownSince = useRef<number>(undefined);
  const isMoved = useRef(false);
  const hasChanged = shown.current.order !== "" && shown.current.order !== order;
  const isReplaced = shown.current.isProvisional && !isProvisional;
  const isUnread = !isMoved.current && performance.now() - (shownSince.current ?? 0) < READING_MS;
  const kept = isReplaced && isUnread ? ids[0] : selected.current;
  const target = wanted ?? (hasChanged ? kept : undefined);

  useEffect(() => {
    if (order !== "") shownSince.current ??= performance.now();
    if (shown.current.isProvisional && !isProvisional) selected.current = kept;
    shown.current = { order, isProvisional };
    // What is kept is decided by the very change of these two.
  }, [order, isProvisional]);

  const selectedId = selected.current !== undefined && ids.includes(selected.current) ? selected.current : ids[0];
  return {
    selection: {
      ...(target !== undefined && ids.includes(target) ? { selectedItemId: target } : {}),
      onSelectionChange: (id) => {
        // While it loads, the launcher tells that nothing is selected.
        if (id === null) return;
        selected.current = id;
        if (id !== ids[0]) isMoved.current = true;
        // A row to begin at that the last opening did not have may be among the present ones.
        if (wanted !== undefined && (ids.includes(wanted) || !isProvisional)) setWanted(undefined);
        if (isFollowed) setSeen(id);
      },
    },
    ...(selectedId === undefined ? {} : { selectedId }),
  };
}
