import { join } from "node:path";
import type { DecodedEntry, RegistryPlace } from "../../files/registry-place";

/** A thread's id in the name of its lock: a UUID. `.coordination.lock` lies beside them. */
const LOCK = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.lock$/;

/**
 * Codex's nearest thing to a registry: `<codex home>/thread-writer-locks/<thread id>.lock` (seen with version 0.171.0).
 * An empty file, made at the first prompt or at a resume, on which the writer of the thread holds `flock`: its terminal
 * under `--no-daemon` and for `codex exec`, else the shared daemon, which keeps a thread one minute after its terminal
 * has quit. A clean exit removes it, after `kill -9` it stays without a holder, and the next start sweeps it. So the
 * file alone says little: whether a process holds it is what tells.
 *
 * @param codexHome `CODEX_HOME`, `~/.codex` by default
 */
export function codexRegistry(codexHome: string): RegistryPlace {
  return { agent: "codex", path: join(codexHome, "thread-writer-locks"), isEntry: (name) => LOCK.test(name) };
}

/** The entry of a lock: its name is all that it says. */
export function decodeCodexLock(fileName: string, codexHome: string): DecodedEntry {
  const sessionId = LOCK.exec(fileName)?.[1];
  if (sessionId === undefined) {
    return { outcome: "refused", findings: [{ reason: "is no thread's lock", outcome: "refused" }] };
  }
  return { outcome: "entry", entry: { agent: "codex", sessionId, configDirectory: codexHome }, findings: [] };
}
