import { findInFront } from "../../src/cli/invoke-front";
import type { Session } from "../../src/session/session";
import { host } from "../host";
import { launchNoView } from "../host/launch";
import { AgentFiles } from "../views/agent-files";
import { FakeCommand } from "../views/fake-command";

jest.mock("../../src/cli/invoke-front");

let files: AgentFiles;

beforeEach(() => {
  files = new AgentFiles();
});

/** Says which session is in front. */
function inFront(session: Partial<Session> | Error | undefined): void {
  const found = jest.mocked(findInFront);
  if (session instanceof Error) found.mockRejectedValue(session);
  else if (session === undefined) found.mockResolvedValue(undefined);
  else {
    const whole: Session = {
      id: "claude:s1",
      agent: "claude",
      sessionId: "s1",
      state: "idle",
      since: 0,
      title: "Shop",
      unread: false,
      needsYou: false,
      subagents: 0,
      sources: [],
      evidence: [],
      ...session,
    };
    found.mockResolvedValue(whole);
  }
}

const REFUSED = {
  kind: "save-restart",
  reached: [],
  leftOut: [],
  refused: [{ id: "claude:s1", title: "Shop", reason: "it waits for you at a dialog: answer that first" }],
};

test("the session in front is asked, once the user agrees", async () => {
  inFront({ plugin: {} });
  const command = new FakeCommand({ pause: { out: REFUSED, code: 1 } });
  files.prefer({ commandPath: command.path });
  host.confirm = false;
  await launchNoView("restart-this-session");
  expect(host.alerts).toMatchObject([{ title: "Save and Restart Shop?" }]);
  expect([command.calls, host.huds]).toEqual([[], []]);
  host.confirm = true;
  await launchNoView("restart-this-session");
  expect(command.calls).toEqual([["pause", "--json", "--restart", "--", "claude:s1"]]);
  expect(host.huds).toEqual(["Not Restarted: It waits for you at a dialog: answer that first."]);
});

test("where it is not certain, the list asks which", async () => {
  inFront(undefined);
  await launchNoView("restart-this-session");
  expect(host.huds).toEqual(["Choose the Session to Restart"]);
  expect(host.launched).toEqual([{ name: "search-sessions", type: "userInitiated" }]);
  expect(host.alerts).toEqual([]);
});

test("a launcher that opens no list says which to open", async () => {
  inFront(undefined);
  host.launchFailures.set("search-sessions", "not supported");
  await launchNoView("restart-this-session");
  expect(host.huds.at(-1)).toBe("Open Search Sessions to Choose the Session to Restart");
});

test("what fails is said", async () => {
  inFront(new Error("ps is broken"));
  await launchNoView("restart-this-session");
  expect(host.huds).toEqual(["Could Not Restart This Session: ps is broken"]);
});
