import { CROWDED_ENTRY_LIMIT, ENTRY_LIMIT, ENVIRONMENT_FACTS, FULL_FLAG } from "../files/inbox-entry";
import type { Recorder } from "./recorder-command";
import type { SettingsTarget } from "./settings-target";

/** By this line a plugin file is known as ours, of whatever version. */
const MARK =
  "// Agent Sessions: this file is written by `agent-sessions setup`, and removed by `agent-sessions setup --remove`.";

/** A plugin file that is wholly ours. */
export function pluginTarget(path: string, source: (recorder: Recorder) => string): SettingsTarget {
  return {
    path,
    adds: "a plugin",
    setUp: (text, recorder) => {
      const wanted = source(recorder);
      if (text === wanted) return { outcome: "already" };
      if (text !== undefined && !text.includes(MARK)) {
        return { outcome: "refused", reason: "is a file that Agent Sessions did not write" };
      }
      return { outcome: "change", text: wanted, created: [[]] };
    },
    remove: (text) => (text.includes(MARK) ? { outcome: "change", text: undefined } : { outcome: "absent" }),
    holdsOurs: (text) => text.includes(MARK),
  };
}

/**
 * The part that all our plugins have: `leave(event, payload)` puts an entry into the inbox as `assets/bin/record` does
 * (docs/recorder.md), with the agent's own process and no other one. Plain JavaScript, valid as TypeScript; it never
 * throws, since it runs inside the agent.
 */
export function pluginSource(agent: string, { inbox }: Recorder, plugin: string, first?: string): string {
  return `${first === undefined ? "" : `${first}\n`}${MARK}
// It leaves what happens in a session in the inbox of Agent Sessions. It asks for nothing and changes nothing.
import * as fs from "node:fs";
import * as path from "node:path";

const AGENT = ${JSON.stringify(agent)};
const FACTS = ${JSON.stringify(ENVIRONMENT_FACTS)};
const home = (process.env.AGENT_SESSIONS_HOME || "").trim();
const inbox = path.isAbsolute(home) ? path.join(home, "inbox") : ${JSON.stringify(inbox)};
let count = 0;

/** How full the inbox is, as the recorder counts it: from 1 on less is kept, from 2 on no progress, from 3 on the last of a kind. */
function level() {
  const flag = path.join(inbox, ${JSON.stringify(FULL_FLAG)});
  let found = 0;
  if (count % 20 === 0) {
    const entries = fs.readdirSync(inbox).filter((name) => !name.startsWith(".")).length;
    found = entries >= 24000 ? 4 : entries >= 16000 ? 3 : entries >= 12000 ? 2 : entries >= 1000 ? 1 : 0;
  }
  const told = fs.existsSync(flag) ? Math.min(Math.max(parseInt(fs.readFileSync(flag, "utf8"), 10) || 1, 1), 4) : 0;
  if (found > told) fs.writeFileSync(flag, found + "\\n", { mode: 0o600 });
  return Math.max(found, told);
}

function isFact(value) {
  return typeof value === "string" && value !== "" && !value.includes("\\n") && Buffer.byteLength(value) <= 1024;
}

/** Long texts within a payload tell nothing more. */
function cut(value, depth) {
  if (typeof value === "string") return value.length > 2000 ? value.slice(0, 2000) + "…" : value;
  if (typeof value !== "object" || value === null) return value;
  if (depth > 8) return undefined;
  if (Array.isArray(value)) return value.slice(0, 100).map((each) => cut(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, cut(each, depth + 1)]));
}

/** Leaves an entry: under a hidden name, then by its own. Never throws. */
function leave(event, payload, facts, session, isProgress) {
  try {
    if (!fs.existsSync(inbox)) fs.mkdirSync(inbox, { recursive: true, mode: 0o700 });
    const owner = fs.statSync(inbox).uid;
    if (process.geteuid !== undefined && owner !== process.geteuid()) return;
    const full = level();
    if (full >= 2 && isProgress) return;
    const head = ["agent-sessions 1", "agent=" + AGENT, "event=" + event, "ppid=" + process.pid];
    const values = { ...process.env, PWD: process.cwd(), SSH_CONNECTION: process.env.SSH_CONNECTION ? "1" : "", ...facts };
    for (const name of ["PWD", ...FACTS]) if (isFact(values[name])) head.push(name + "=" + values[name]);
    const text = head.join("\\n") + "\\n\\n" + JSON.stringify(cut(payload, 0));
    const bytes = Buffer.from(text).subarray(0, full === 0 ? ${ENTRY_LIMIT} : ${CROWDED_ENTRY_LIMIT});
    const stem = AGENT + "-" + String(process.pid).padStart(7, "0").slice(-7) + "-";
    for (let tries = 0; tries < 1000; tries++) {
      const name = stem + String(count++).padStart(7, "0");
      const hidden = path.join(inbox, "." + name);
      if (fs.existsSync(path.join(inbox, name))) continue;
      try {
        fs.writeFileSync(hidden, bytes, { flag: "wx", mode: 0o600 });
      } catch (error) {
        if (error.code === "EEXIST") continue;
        fs.rmSync(hidden, { force: true });
        return;
      }
      if (full < 3) {
        fs.renameSync(hidden, path.join(inbox, name));
        return;
      }
      const place = "-last-" + String(session).replace(/[^A-Za-z0-9._-]/g, "").slice(full < 4 ? -64 : -2) + "-" + event;
      const before = fs.readdirSync(inbox).filter((each) => each.startsWith(AGENT + "-") && each.endsWith(place));
      fs.renameSync(hidden, path.join(inbox, name + place));
      for (const each of before) fs.rmSync(path.join(inbox, each), { force: true });
      return;
    }
  } catch {
    // Nobody in the agent could do anything about it.
  }
}
${plugin}`;
}
