import { join } from "node:path";
import { folderRefusal, presenceOf } from "./guarded-read";

/** How long a watch may take to begin; then whoever asked goes on, and what it tells later still counts. */
const READY_MS = 1_000;

/** Ends a watch; safe to call twice. */
export type StopWatching = () => Promise<void>;

/**
 * Watches a folder, not what lies below it, and tells the path of each entry that is written, replaced or removed,
 * or the folder itself when the system does not say which. Undefined when the folder is missing: call again later.
 * Watching only tells when to look; a system may miss events, so whoever watches also looks now and then.
 */
export async function watchFolder(folder: string, onChange: (path: string) => void): Promise<StopWatching | undefined> {
  if (folderRefusal(folder) !== undefined || presenceOf(folder).outcome !== "there") return undefined;
  const { watch } = await import("chokidar");
  const watcher = watch(folder, {
    depth: 0,
    ignoreInitial: true,
    persistent: true,
    // The folder's own watch reports its entries. One more watch a file would cost a handle for each of thousands.
    ignored: (path, stats) => path !== folder && stats !== undefined,
  });
  watcher.on("raw", (_event: string, name: unknown) => {
    onChange(typeof name === "string" && name !== "" ? join(folder, name) : folder);
  });
  // An error of the watch (a limit of the system, a folder removed) leaves the regular looks.
  watcher.on("error", () => undefined);
  await new Promise<void>((resolve) => {
    // A folder that vanishes meanwhile never gets ready.
    const timer = setTimeout(resolve, READY_MS);
    watcher.once("ready", () => {
      clearTimeout(timer);
      resolve();
    });
  });
  return () => watcher.close();
}
