import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { action, cleanup, eventually, host, run } from "../host";
import { AgentFiles } from "./agent-files";
import { open, row, rows, sections } from "./list-window";
import { everythingClosed, noteTimers } from "./open-resources";

noteTimers();

const registry = join(process.env.HOME ?? "", ".claude", "sessions");

/** A session that nothing but Claude's registry tells of: this process, so that it runs. */
function startSession(): void {
  mkdirSync(registry, { recursive: true });
  const now = Date.now();
  const entry = {
    pid: process.pid,
    sessionId: "5f0cbd4c-0b4c-4b57-9a5a-0f5a3f5f0001",
    cwd: "/w/shop",
    name: "shop-1",
    status: "busy",
    startedAt: now,
    statusUpdatedAt: now,
    updatedAt: now,
  };
  writeFileSync(join(registry, `${process.pid}.json`), JSON.stringify(entry));
}

let files: AgentFiles;

beforeEach(() => {
  files = new AgentFiles();
});

afterEach(async () => {
  await cleanup();
  rmSync(registry, { recursive: true, force: true });
  await everythingClosed();
});

test("before any set-up the list shows what runs, and says what set-up would add", async () => {
  rmSync(files.places.statusDirectory, { recursive: true });
  startSession();
  const root = await open();
  await eventually(() =>
    expect(sections(root)).toEqual({ Working: ["shop-1"], "Set-Up": ["Set Up Agents to See More"] }),
  );
  await run(action(row(root, "Set Up Agents to See More"), "Set Up Agents"));
  expect(host.launched.at(-1)).toMatchObject({ name: "set-up-agents" });
  rmSync(registry, { recursive: true });
  await run(action(row(root, "Set Up Agents to See More"), "Refresh"));
  expect(rows(root)).toEqual([]);
});

test("a launcher that opens no command from another says which one to open", async () => {
  rmSync(files.places.statusDirectory, { recursive: true });
  startSession();
  host.launchFailures.set("set-up-agents", "is not supported");
  const root = await open();
  await run(action(row(root, "Set Up Agents to See More"), "Set Up Agents"));
  expect(host.toasts.at(-1)).toMatchObject({ title: "Open Set Up Agents in the Launcher" });
});

test("once an agent reports, the row is gone", async () => {
  startSession();
  files.status("s1", "working", { title: "Refactoring" });
  const root = await open();
  await eventually(() => expect(rows(root).sort()).toEqual(["Refactoring", "shop-1"]));
});
