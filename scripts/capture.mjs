// Turns what an agent's hooks left in an inbox into a capture for test/captures/, one event a line:
//
//   node scripts/capture.mjs FOLDER/inbox > test/captures/<agent>/<scenario>.jsonl
//
// Paths below the home folder and the user's name become those of a made-up user. Read it through before it is
// committed: what an agent and its tools said is in it as it was.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { homedir, hostname, userInfo } from "node:os";
import { join } from "node:path";
import process from "node:process";

const [inbox] = process.argv.slice(2);
if (inbox === undefined) {
  console.error("Usage: node scripts/capture.mjs INBOX > test/captures/AGENT/SCENARIO.jsonl");
  process.exit(2);
}

const made = new Map([
  [homedir(), "/home/dev"],
  [userInfo().username, "dev"],
  [hostname(), "machine"],
]);

/** A text without what tells whose machine it was. */
function scrubbed(text) {
  // Short names stand in other words, too: those of paths were replaced with the home folder.
  return Array.from(made).reduce(
    (clean, [own, other]) => (own.length > 3 ? clean.replaceAll(own, other) : clean),
    text,
  );
}

const entries = readdirSync(inbox)
  .filter((name) => !name.startsWith(".") && statSync(join(inbox, name)).isFile())
  .map((name) => ({ name, at: statSync(join(inbox, name)).mtimeMs }))
  .sort((one, other) => one.at - other.at || (one.name < other.name ? -1 : 1));

for (const { name, at } of entries) {
  const text = readFileSync(join(inbox, name), "utf8");
  const end = text.indexOf("\n\n");
  if (!text.startsWith("agent-sessions 1\n") || end < 0) {
    console.error(`${name}: is no entry of the recorder; left out.`);
    continue;
  }
  const facts = Object.fromEntries(
    text
      .slice(0, end)
      .split("\n")
      .slice(1)
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
  const { event = "" } = facts;
  const env = Object.fromEntries(Object.entries(facts).filter(([fact]) => !["agent", "event", "ppid"].includes(fact)));
  try {
    const payload = JSON.parse(text.slice(end + 2) || "null");
    console.log(scrubbed(JSON.stringify({ at: Math.round(at), event, payload, env })));
  } catch {
    console.error(`${name}: its payload is not JSON; left out.`);
  }
}
