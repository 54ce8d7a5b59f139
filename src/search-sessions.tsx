import type { LaunchProps } from "@raycast/api";
import { SessionList } from "./views/session-list";

/** Search Sessions: the list; another command may open it at a session. */
export default function SearchSessions({ launchContext }: LaunchProps<{ launchContext?: { id?: unknown } }>) {
  const id = launchContext?.id;
  return <SessionList {...(typeof id === "string" ? { selectedId: id } : {})} />;
}
