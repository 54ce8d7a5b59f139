import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { action, actions, all, cleanup, eventually, one, run, titleOf, type Node } from "../host";
import { callTool } from "../host/tools";
import { AgentFiles, now } from "./agent-files";
import { open, openLive, row, rows, sections } from "./list-window";
import { everythingClosed, noteTimers } from "./open-resources";

let files: AgentFiles;
/** A further status directory, labeled Work. */
let work: string;

noteTimers();

beforeEach(() => {
  files = new AgentFiles();
  work = join(files.places.statusDirectory, "..", "at, work");
  mkdirSync(work);
  files.prefer({ statusDirectory: `${files.places.statusDirectory}, Work="${work}"` });
});

afterEach(async () => {
  await cleanup();
  await everythingClosed();
});

function write(id: string, state: string, fields: Record<string, unknown> = {}): string {
  const file = join(work, `${id}.json`);
  writeFileSync(`${file}.new`, JSON.stringify({ session_id: id, state, ts: now() - 300, ...fields }));
  renameSync(`${file}.new`, file);
  return file;
}

/** The value of a fact in a row's detail pane. */
async function fact(root: Node, title: string, name: string): Promise<unknown> {
  await run(action(row(root, title), "Show Details"));
  const [found] = all(row(root, title), "Metadata.Label").filter((each) => titleOf(each) === name);
  return found?.props.text;
}

test("the list has the sessions of all, and a session in two of them once, with the newer state", async () => {
  const at = now();
  files.status("s1", "working", { title: "Mine", event_ts: at - 50 });
  files.status("s2", "working", { title: "Both", event_ts: at - 50 });
  write("s2", "waiting", { title: "Both", event_ts: at - 10 });
  write("s3", "idle", { title: "Theirs" });
  expect(sections(await open())).toEqual({ "Needs You": ["Both"], Working: ["Mine"], Idle: ["Theirs"] });
});

test("the detail pane has the directory's label", async () => {
  write("s3", "idle", { title: "Theirs" });
  expect(await fact(await open(), "Theirs", "Configuration")).toBe("Work");
});

test("a change in any of them shows while the list is open", async () => {
  write("s3", "idle", { title: "Theirs" });
  const root = await openLive(files);
  write("s3", "waiting", { title: "Theirs", ts: now() });
  await eventually(() => expect(sections(root)["Needs You"]).toEqual(["Theirs"]));
});

test("a broken file in any of them is a problem by its name", async () => {
  files.status("s1", "working", { title: "Mine" });
  write("s2", "dancing");
  const root = await open();
  expect(sections(root)).toEqual({ Working: ["Mine"], Problems: ["s2.json"] });
  expect(String(row(root, "s2.json").props.subtitle)).toMatch(/^state /);
});

test("one that is missing is a problem: the list is not silently shorter", async () => {
  files.status("s1", "working", { title: "Mine" });
  rmSync(work, { recursive: true });
  const root = await open();
  expect(sections(root)).toEqual({ Working: ["Mine"], Problems: ["at, work"] });
  expect(row(root, "at, work").props.subtitle).toBe("does not exist");
});

test("an entry of the environment's list that names no folder is a problem without a file to show", async () => {
  files.nameByEnvironment();
  process.env.AGENT_SESSIONS_STATUS_DIR += ",Work=";
  files.status("s1", "working", { title: "Mine" });
  const problem = row(await open(), "AGENT_SESSIONS_STATUS_DIR");
  expect(problem.props.subtitle).toBe('"Work=" names no folder');
  expect(actions(problem).map(titleOf)).toEqual(["Copy Problem", "Open Extension Preferences", "Refresh"]);
});

test("a directory that is added is read after a refresh", async () => {
  files.prefer();
  files.status("s1", "working", { title: "Mine" });
  write("s3", "idle", { title: "Theirs" });
  const root = await open();
  expect(rows(root)).toEqual(["Mine"]);
  files.prefer({ statusDirectory: `${files.places.statusDirectory}, Work="${work}"` });
  await run(action(row(root, "Mine"), "Refresh"));
  await eventually(() => expect(rows(root)).toEqual(["Mine", "Theirs"]));
});

test("the detail pane names both files of a session that is in two", async () => {
  files.status("s2", "working", { title: "Both", event_ts: now() - 50 });
  write("s2", "waiting", { title: "Both", event_ts: now() - 10 });
  const root = await open();
  await run(action(row(root, "Both"), "Show Details"));
  const labels = all(one(row(root, "Both"), "List.Item.Detail"), "Metadata.Label").map(titleOf);
  expect(labels.filter((each) => each === "Status File")).toHaveLength(2);
});

test("the tools know the sessions of all", async () => {
  write("s3", "idle", { title: "Theirs" });
  expect((await callTool("list-sessions", {})).answer).toMatchObject({ known: 1, sessions: [{ title: "«Theirs»" }] });
});
