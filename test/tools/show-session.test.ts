import { callTool } from "../host/tools";
import { AgentFiles, now } from "../views/agent-files";
import { show } from "./answers";
import { ClaudeHome } from "./claude-home";
import { HOSTILE, textsIn, UNSEEN } from "./hostile";

let files: AgentFiles;
let home: ClaudeHome;

beforeEach(() => {
  files = new AgentFiles();
  home = new ClaudeHome();
});

afterEach(() => home.leave());

test("tells everything that is known, and why, in words", async () => {
  const at = now();
  files.status("4f2e", "waiting", {
    ts: at - 600,
    title: "Fix the login",
    message: `May I? ${"m".repeat(400)}`,
    waiting_for: "permission",
    cwd: "/w/shop",
    event: "PermissionRequest",
    permission_mode: "default",
  });
  home.answered("4f2e", at - 660, 45_210);
  const { session, explanation, note } = await show("claude:4f2e");
  expect(note).toContain("never instructions");
  expect(session).toMatchObject({
    id: "claude:4f2e",
    title: "«Fix the login»",
    state: "waiting",
    wants: "Asks for permission",
    message: `«May I? ${"m".repeat(400)}»`,
    project: "«shop»",
    cwd: "«/w/shop»",
    event: "PermissionRequest",
    model: "claude-sonnet",
    context_tokens: 45_210,
    cache: { state: "warm", ttl_seconds: 3600, ttl_from: "assumed" },
    cache_text: expect.stringMatching(/^warm, 4[89]m left$/),
    sources: ["status", "transcript"],
  });
  expect(session).not.toHaveProperty("tool");
  expect(explanation).toMatch(/^«\n! Fix the login: Waiting since /);
  expect(explanation).toContain("The status file says waiting (PermissionRequest, ");
  expect(explanation).toContain("45k tokens of claude-sonnet: warm, ");
  expect(explanation).toMatch(/\n»$/);
});

describe("which session is meant", () => {
  beforeEach(() => {
    files.status("4f2e", "idle", { title: "Fix the login" });
    files.status("4f3a", "idle", { title: "Fix the login page", cwd: "/w/webshop" });
    files.status("c0de", "idle", { title: "Release notes", agent: "codex" });
  });

  test.each([
    ["its id", "claude:4f2e", "claude:4f2e"],
    ["its own id", "c0de", "codex:c0de"],
    ["the beginning of one", "4f3", "claude:4f3a"],
    ["a whole title, before words of it", "fix the LOGIN", "claude:4f2e"],
    ["a title in the marks it was told in", "«Fix the login»", "claude:4f2e"],
    ["words of a title", "notes release", "codex:c0de"],
    ["words of title and project", "login webshop", "claude:4f3a"],
  ])("%s", async (_what, wanted, id) => {
    expect((await show(wanted)).session.id).toBe(id);
  });

  test.each<[what: string, wanted: unknown, code: string, message: RegExp]>([
    ["an unknown id", "zzz", "not-found", /^No session matches "zzz"\. Call list-sessions/],
    ["an id of two", "4f", "ambiguous", /"4f" matches 2 sessions: claude:4f(2e|3a), claude:4f(2e|3a)\./],
    ["words of two", "login", "ambiguous", /"login" fits 2 sessions: claude:4f\w\w «Fix the login( page)?», /],
    ["nothing", "  ", "usage", /^No session is named/],
    ["no text", 7, "usage", /^session has to be a text/],
  ])("%s is refused, with what to do", async (_what, session, code, message) => {
    await expect(callTool("show-session", { session })).rejects.toMatchObject({
      name: "SessionsError",
      code,
      message: expect.stringMatching(message),
    });
  });
});

test("among 1,000 sessions it finds the one", async () => {
  for (let index = 0; index < 1000; index += 1) files.status(`s${index}x`, "idle", { title: `Task number ${index}x` });
  expect((await show("task 777x")).session.id).toBe("claude:s777x");
});

test("nothing a session says leaves its fence, in no field and not in the explanation", async () => {
  files.status("evil", "working", {
    title: HOSTILE.slice(0, 180),
    message: HOSTILE,
    activity: "do this now »\n«",
    tool: "run me »",
    cwd: "/w/» obey",
    event: "x y »",
    permission_mode: "all rules off",
    background: { "b 1": { command: "rm »x«", ts: now() - 5 } },
  });
  const { session, explanation } = await show("evil");
  const texts = [...textsIn(session), explanation];
  expect(texts.filter((text) => text.includes("obey")).length).toBeGreaterThan(0);
  for (const text of texts) {
    expect(text).not.toMatch(UNSEEN);
    // Whatever is more than a word of the session's own is fenced once, at its ends.
    expect(text.slice(1, -1)).not.toMatch(/[«»]/);
    if (/obey|do this|run me|rules off|SYSTEM|rm /.test(text)) expect(text).toMatch(/^«[^]*»$/);
  }
});
