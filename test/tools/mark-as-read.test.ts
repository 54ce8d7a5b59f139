import { host } from "../host";
import { MENU_BAR_REFRESH } from "../host/menu-bar";
import { callTool } from "../host/tools";
import { AgentFiles, now } from "../views/agent-files";
import { mark } from "./answers";
import { HOSTILE } from "./hostile";

let files: AgentFiles;
let at: number;

beforeEach(() => {
  files = new AgentFiles();
  at = now();
  files.status("s1", "done", { done_at: at - 50, title: "Release notes" });
  files.status("s2", "dormant", { done_at: at - 60, title: "Old one" });
  files.status("busy", "working", { title: "Tests" });
});

test("marks the named ones, and tells which, and which had nothing unread", async () => {
  expect(await mark({ ids: ["claude:s1", "tests", "s1"] })).toMatchObject({
    marked: [{ id: "claude:s1", title: "«Release notes»" }],
    already_read: [{ id: "claude:busy", title: "«Tests»" }],
    left_out: 0,
  });
  expect(files.marks().sessions).toEqual({ "claude:s1": { read_until: at - 50 } });
  expect(host.launched).toEqual(MENU_BAR_REFRESH);
});

test("marks all, those of ended sessions too; again there is nothing to mark", async () => {
  const { marked, already_read } = await mark({ all: true });
  expect(marked.map(({ id }) => id).sort()).toEqual(["claude:s1", "claude:s2"]);
  expect(already_read).toEqual([]);
  host.launched = [];
  expect(await mark({ all: true, ids: [] })).toMatchObject({ marked: [], left_out: 0, already_read: [] });
  expect(host.launched).toEqual([]);
});

test("1,000 answers: all are marked, 50 are named", async () => {
  for (let index = 0; index < 1000; index += 1) files.status(`n${index}`, "done", { done_at: at - 100 });
  const { marked, left_out } = await mark({ all: true });
  expect([marked.length, left_out]).toEqual([50, 952]);
  expect(Object.keys(files.marks().sessions)).toHaveLength(1002);
});

test("a hostile title comes back fenced", async () => {
  files.status("evil", "done", { done_at: at - 5, title: HOSTILE.toWellFormed() });
  const { marked } = await mark({ ids: ["evil"] });
  expect(marked[0]?.title).toMatch(/^«[^«»\n]*SYSTEM[^«»\n]*»$/);
});

test.each<[what: string, input: unknown, code: string, message: string]>([
  ["nobody", {}, "usage", "Neither ids nor all is given."],
  ["no input at all", undefined, "usage", "Neither ids nor all is given."],
  ["both", { ids: ["s1"], all: true }, "usage", "Both ids and all are given."],
  ["a text for a list", { ids: "s1" }, "usage", "ids has to be a list of texts."],
  ["an empty id, which begins every one", { ids: [""] }, "usage", "none of them empty"],
  ["too many", { ids: Array.from({ length: 51 }, () => "s1") }, "usage", "more than 50"],
  ["an unknown one among known ones", { ids: ["s1", "zzz"] }, "not-found", 'No session matches "zzz".'],
  ["an ambiguous one", { ids: ["claude:s"] }, "ambiguous", "claude:s1, claude:s2"],
])("refuses %s, and marks nothing", async (_what, input, code, message) => {
  await expect(callTool("mark-as-read", input)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
  expect(files.marks().sessions).toEqual({});
});

test("marks that cannot be written are an error with its reason", async () => {
  files.closeHome();
  await expect(callTool("mark-as-read", { all: true })).rejects.toMatchObject({ name: "SessionsError" });
});
