import { useEffect, useRef, useState } from "react";

/** What keeps the selection on a row: properties for the list. */
export interface SteadySelection {
  selectedItemId?: string;
  onSelectionChange: (id: string | null) => void;
}

/**
 * Keeps the selection on the row the user is at when others move around it: an action must never hit a row that has
 * just slipped under the cursor. Between such moves the launcher moves the selection alone.
 *
 * @param ids the rows in their order
 * @param first the row to begin at
 */
export function useSteadySelection(ids: readonly string[], first: string | undefined): SteadySelection {
  const selected = useRef<string>(undefined);
  const [wanted, setWanted] = useState(first);
  const order = ids.join("\n");
  const shown = useRef(order);
  const hasMoved = shown.current !== "" && shown.current !== order;

  useEffect(() => {
    shown.current = order;
  }, [order]);

  const target = wanted ?? (hasMoved ? selected.current : undefined);
  return {
    ...(target !== undefined && ids.includes(target) ? { selectedItemId: target } : {}),
    onSelectionChange: (id) => {
      // While it loads, the launcher tells that nothing is selected.
      if (id === null) return;
      selected.current = id;
      if (wanted !== undefined) setWanted(undefined);
    },
  };
}
