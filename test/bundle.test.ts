import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { all, eventually, host, LaunchType, one, titleOf } from "./host";
import { launch, launchNoView } from "./host/launch";
import { MANIFEST, PROJECT } from "./host/manifest";
import { AgentFiles, now } from "./views/agent-files";

const dist = join(PROJECT, "dist");

/**
 * The most a command may weigh, in KB: what it weighs, and room for some months. Some 98 KB are the schema library, 34 KB the
 * agents' payloads, and where sessions are gone to and asked, 40 KB each the terminals and the ways to a session; a library
 * taken in whole, or the wrong import of one, shows here.
 */
const LIMITS: Readonly<Record<string, number>> = {
  "search-sessions": 480,
  "sessions-in-menu-bar": 360,
  "set-up-agents": 490,
  "session-events": 380,
  "next-session": 370,
  "pause-sessions": 410,
  "restart-this-session": 395,
  "mark-all-as-read": 330,
};

/** What a command may weigh that has no limit of its own. */
const USUAL_LIMIT = 300;

/** What `ray build -e dist -o dist` left: so build before testing. */
const built = existsSync(join(dist, "package.json")) ? describe : describe.skip;

built("the distribution build (skipped while dist/ is missing: npm run build:extension makes it)", () => {
  test.each(MANIFEST.commands.map(({ name }) => name))("%s is there, and small", (name) => {
    const { size } = statSync(join(dist, `${name}.js`));
    expect(size / 1000).toBeLessThanOrEqual(LIMITS[name] ?? USUAL_LIMIT);
  });

  test("has every picture", () => {
    expect(existsSync(join(dist, "assets", "icon.png"))).toBe(true);
    expect(existsSync(join(dist, "assets", "state-waiting.png"))).toBe(true);
  });

  test("the list lists", async () => {
    const files = new AgentFiles();
    files.status("s1", "waiting", { title: "Asking" });
    files.signal({ s2: { signal: "working", agent: "gemini" } });
    const { root } = await launch("search-sessions", { from: dist });
    expect(all(root, "List.Item").map(titleOf)).toEqual(["Asking", "s2"]);
    files.status("s3", "idle", { title: "Resting" });
    await eventually(() => expect(all(root, "List.Item").map(titleOf)).toEqual(["Asking", "s2", "Resting"]));
  });

  test("the menu bar counts", async () => {
    new AgentFiles().status("s1", "waiting", { title: "Asking" });
    const { root } = await launch("sessions-in-menu-bar", { from: dist, type: LaunchType.Background });
    await eventually(() => expect(one(root, "MenuBarExtra").props).toMatchObject({ title: "1", isLoading: false }));
  });

  test("Next Session That Needs Me says when there is none, and why it is not there", async () => {
    const files = new AgentFiles();
    files.status("s1", "working");
    await launchNoView("next-session", { from: dist });
    files.status("s2", "waiting");
    await launchNoView("next-session", { from: dist });
    expect(host.huds).toEqual(["No Session Needs You", expect.stringContaining("Nothing was brought forward.")]);
  });

  test("Pause Sessions shows whom it will reach", async () => {
    new AgentFiles().status("s1", "working", { title: "Busy" });
    const { root } = await launch("pause-sessions", { from: dist });
    await eventually(() => expect(all(root, "Action").map(titleOf)).toContain("Pause 1 Session"));
  });

  test("Save and Restart This Session opens the list where it is not certain which", async () => {
    new AgentFiles().status("s1", "working", { title: "Busy" });
    await launchNoView("restart-this-session", { from: dist });
    expect(host.launched).toEqual([{ name: "search-sessions", type: "userInitiated" }]);
  });

  test("Mark All as Read marks", async () => {
    const files = new AgentFiles();
    files.status("s1", "done", { done_at: now() - 50 });
    await launchNoView("mark-all-as-read", { from: dist });
    expect(host.huds).toEqual(["Marked 1 Answer as Read"]);
    expect(Object.keys(files.marks().sessions)).toEqual(["claude:s1"]);
  });
});
