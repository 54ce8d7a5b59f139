import { host } from "../host";
import { launchNoView } from "../host/launch";
import { AgentFiles, now } from "../views/agent-files";
import { FakeCommand } from "../views/fake-command";

let files: AgentFiles;

beforeEach(() => {
  files = new AgentFiles();
});

/** Has it go through a command that answers so. */
function answering(outcome: Record<string, unknown>, code = 0): FakeCommand {
  const out = { id: "x", outcome: "focused", what: "Focused.", reason: null, offers: [], ...outcome };
  const command = new FakeCommand({ focus: { out, code } });
  files.prefer({ commandPath: command.path });
  return command;
}

const next = () => launchNoView("next-session");
const wentTo = (command: FakeCommand) => command.calls.map((call) => call.at(-1));

function three(): void {
  files.status("s1", "waiting", { title: "One", ts: now() - 100 });
  files.status("s2", "decision", { title: "Two", ts: now() - 300 });
  files.status("s3", "failed", { title: "Three", ts: now() - 200 });
  files.status("s4", "working", { title: "Busy", ts: now() - 900 });
}

test("goes to the one that has waited longest, then on, and begins anew", async () => {
  three();
  const command = answering({});
  for (let n = 0; n < 4; n += 1) await next();
  expect(wentTo(command)).toEqual(["claude:s2", "claude:s3", "claude:s1", "claude:s2"]);
  expect(host.huds).toEqual(["Went to Two", "Went to Three", "Went to One", "Went to Two"]);
  expect(host.closed).toBe(4);
});

test("a session that is alone is gone to each time", async () => {
  files.status("s1", "waiting", { title: "One" });
  const command = answering({});
  await next();
  await next();
  expect(wentTo(command)).toEqual(["claude:s1", "claude:s1"]);
});

test("nobody needs the user", async () => {
  files.status("s4", "working");
  const command = answering({});
  await next();
  expect([host.huds, command.calls, host.launched]).toEqual([["No Session Needs You"], [], []]);
});

test("one that cannot be reached says why and shows in the list; the next use goes on", async () => {
  three();
  const command = answering(
    { outcome: "uncertain", what: "Nothing was brought forward.", reason: "It is not known." },
    1,
  );
  await next();
  expect(host.huds).toEqual(["It is not known. Nothing was brought forward."]);
  expect(host.launched).toEqual([{ name: "search-sessions", type: "userInitiated", context: { id: "claude:s2" } }]);
  await next();
  expect(wentTo(command)).toEqual(["claude:s2", "claude:s3"]);
});

test("a launcher that opens no list says the reason all the same", async () => {
  three();
  host.launchFailures.set("search-sessions", "not enabled");
  answering({ outcome: "failed", reason: "kitty refused." }, 1);
  await next();
  expect(host.huds).toHaveLength(1);
});

test("what fails is said with its reason, and passed over next time", async () => {
  three();
  files.prefer({ commandPath: new FakeCommand({ focus: { err: "agent-sessions: ps is broken\n", code: 1 } }).path });
  await next();
  expect(host.huds).toEqual(["Could Not Go to Session: ps is broken"]);
  const command = answering({});
  await next();
  expect(wentTo(command)).toEqual(["claude:s3"]);
});

test("in this process", async () => {
  files.status("s1", "waiting", { title: "One" });
  await next();
  expect(host.huds).toEqual([expect.stringContaining("Nothing tells which terminal it runs in.")]);
});

test("what was kept and is no round does no harm", async () => {
  three();
  host.localStorage.set("next-session.round", '{"at":');
  const command = answering({});
  await next();
  expect(wentTo(command)).toEqual(["claude:s2"]);
});
