import { codexTranscripts } from "../../../src/agents/codex/transcript";

/** Began on 2026-11-30T03:59:46Z: so a UUIDv7's first 48 bits say. */
const THREAD = "01a22a9b-d793-7b43-bd30-190fea377996";
/** A UUID that tells no time. */
const OTHER = "5a1c0c52-3a7e-4a55-9c0d-6a3a9f6f0b11";
const SESSIONS = "/home/dev/.codex/sessions";

const kindWith = (environment: Record<string, string> = {}) =>
  codexTranscripts({ environment, user: "/home/dev", platform: "linux" });

/** Folders with rollouts, and which of them were listed. */
function home(...files: string[]) {
  const listed: string[] = [];
  const names = (folder: string) => {
    listed.push(folder);
    const inside = files.filter((file) => file.startsWith(`${folder}/`));
    return new Set(inside.map((file) => file.slice(folder.length + 1).split("/")[0] ?? ""));
  };
  return { names, listed };
}

test.each(["30", "29"])("a thread's id tells its day; by local time it may be a neighbor: day %s", (day) => {
  const file = `${SESSIONS}/2026/11/${day}/rollout-2026-11-${day}T23-59-46-${THREAD}.jsonl`;
  const { names, listed } = home(file, `${SESSIONS}/2027/01/01/rollout-x.jsonl`);
  expect(kindWith().search?.({ sessionId: THREAD }, names)).toBe(file);
  expect(listed.every((folder) => folder.startsWith(`${SESSIONS}/2026/1`))).toBe(true);
});

test("without a time in its id the newest days are looked through first", () => {
  const file = `${SESSIONS}/2026/11/02/rollout-2026-11-02T10-00-00-${OTHER}.jsonl`;
  const { names, listed } = home(
    file,
    `${SESSIONS}/2026/11/30/rollout-a.jsonl`,
    `${SESSIONS}/2025/12/31/rollout-b.jsonl`,
  );
  expect(kindWith().search?.({ sessionId: OTHER }, names)).toBe(file);
  expect(listed.filter((folder) => /\/\d{4}\/\d\d\/\d\d$/.test(folder))).toEqual([
    `${SESSIONS}/2026/11/30`,
    `${SESSIONS}/2026/11/02`,
  ]);
});

test("a search ends after 62 days", () => {
  const days = Array.from({ length: 400 }, (_, day) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10));
  const { names, listed } = home(...days.map((day) => `${SESSIONS}/${day.replaceAll("-", "/")}/rollout-x.jsonl`));
  expect(kindWith().search?.({ sessionId: OTHER }, names)).toBeUndefined();
  expect(listed.filter((folder) => /\/\d{4}\/\d\d\/\d\d$/.test(folder))).toHaveLength(62);
});

test.each([
  ["compressed", `rollout-2026-11-30T03-59-46-${THREAD}.jsonl.zst`],
  ["of another thread", `rollout-2026-11-30T03-59-46-${OTHER}.jsonl`],
  ["no rollout", `notes-${THREAD}.jsonl`],
])("one that is %s is none", (_what, name) => {
  const { names } = home(`${SESSIONS}/2026/11/30/${name}`);
  expect(kindWith().search?.({ sessionId: THREAD }, names)).toBeUndefined();
});

test("CODEX_HOME names another folder, and so does the session's source", () => {
  const file = `/x/sessions/2026/11/30/rollout-2026-11-30T03-59-46-${THREAD}.jsonl`;
  const { names } = home(file);
  expect(kindWith({ CODEX_HOME: "/x" }).search?.({ sessionId: THREAD }, names)).toBe(file);
  expect(kindWith().search?.({ sessionId: THREAD, configDirectory: "/x" }, names)).toBe(file);
  expect(kindWith().search?.({ sessionId: THREAD }, names)).toBeUndefined();
});

test("a thread's id tells the name of its rollout, by the local time, too: a moment later it is another second", () => {
  // What the machine's own zone makes of 2026-11-30T03:59:46Z.
  const local = (second: number) => new Date(Date.UTC(2026, 10, 30, 3, 59, second)).toLocaleString("sv-SE");
  const path = (moment: string) => {
    const [day = "", time = ""] = moment.split(" ");
    return `${SESSIONS}/${day.replaceAll("-", "/")}/rollout-${day}T${time.replaceAll(":", "-")}-${THREAD}.jsonl`;
  };
  expect(kindWith().likely({ sessionId: THREAD })).toEqual([path(local(46)), path(local(47))]);
  expect(kindWith().likely({ sessionId: THREAD, configDirectory: "/x" })[0]).toMatch(/^\/x\/sessions\//);
});

test.each([OTHER, "", "../x", `${THREAD}/../x`])("an id that tells no time has no likely place: %j", (sessionId) => {
  expect(kindWith().likely({ sessionId })).toEqual([]);
});

test("an id that is no name of a file is looked for nowhere", () => {
  const { names, listed } = home();
  expect(kindWith().search?.({ sessionId: "../x" }, names)).toBeUndefined();
  expect(listed).toEqual([]);
});
