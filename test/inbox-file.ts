import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An event as a recorder delivers it. */
export interface Delivery {
  agent: string;
  event?: string;
  env?: Readonly<Record<string, string>>;
  payload: unknown;
  /** When it was written, in seconds. */
  at: number;
}

let count = 0;

/** Puts an entry into the inbox of a home, as the recorder's format has it. Gives its path. */
export function deliver(home: string, { agent, event, env = {}, payload, at }: Delivery): string {
  const inbox = join(home, "inbox");
  mkdirSync(inbox, { recursive: true, mode: 0o700 });
  count += 1;
  const path = join(inbox, `${agent}-${process.pid}-${count}`);
  const facts = Object.entries(env).map(([name, value]) => `${name}=${value}\n`);
  const head = `agent-sessions 1\nagent=${agent}\n${event === undefined ? "" : `event=${event}\n`}ppid=1\n${facts.join("")}\n`;
  writeFileSync(path, head + (typeof payload === "string" ? payload : JSON.stringify(payload)), { mode: 0o600 });
  utimesSync(path, at, at);
  return path;
}
