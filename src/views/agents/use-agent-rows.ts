import { useCachedPromise } from "@raycast/utils";
import { useCallback } from "react";
import { askVersions, lookAtAgents, type AgentRow } from "./agent-row";

/** The agents while the command is open. */
export interface AgentRows {
  rows: readonly AgentRow[] | undefined;
  error: Error | undefined;
  isLoading: boolean;
  refresh: () => Promise<void>;
}

/** Looks at the agents: what is known from the last time shows at once, the versions come when the programs answered. */
export function useAgentRows(): AgentRows {
  const looked = useCachedPromise(lookAtAgents, [], {
    failureToastOptions: { title: "Could Not Look at Your Agents" },
  });
  // Where nothing can be looked at, the rows say so.
  const asked = useCachedPromise(askVersions, [], { onError: () => undefined });
  const { revalidate: lookAgain } = looked;
  const { revalidate: askAgain } = asked;
  const refresh = useCallback(async () => {
    await Promise.all([lookAgain(), askAgain()]);
  }, [lookAgain, askAgain]);
  const rows = looked.data?.map((row): AgentRow => {
    const version = asked.data?.[row.agent];
    return version === undefined ? row : { ...row, version };
  });
  return { rows, error: looked.error, isLoading: looked.isLoading || asked.isLoading, refresh };
}
