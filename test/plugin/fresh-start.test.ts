import { FakeSession, MEMORY, PHRASE, SHOP } from "./fake-session";

let session: FakeSession;

beforeEach(async () => {
  session = new FakeSession();
  await session.start();
  await session.prompt(`${PHRASE}, please`);
  session.toasts.length = 0;
});

/** `/pause self`, and the turn that saves, in which the model does this. */
async function pauseSelf(work: () => Promise<void> = () => session.writeShop(), word = "self"): Promise<string> {
  session.work = work;
  const answer = await session.command("pause", word);
  await session.pass(200);
  return answer;
}

test("a proven save: the context is cleared, and the phrase stands in the input field", async () => {
  const answer = await pauseSelf();
  expect(answer).toContain("shop.md");
  expect(session.submitted).toHaveLength(1);
  expect(session.submitted[0]).toContain(SHOP);
  expect(session.clears).toBe(1);
  expect(session.filled).toEqual([PHRASE]);
  expect(session.toasts).toEqual([]);
});

test.each(["Edit", "Bash"])("what %s added is proof, too", async (tool) => {
  const text = `${session.text(SHOP)}- today\n`;
  const input = tool === "Bash" ? { command: `echo '- today' >> shop.md` } : { file_path: SHOP };
  await pauseSelf(() => session.tool(tool, input, () => session.write(SHOP, text)));
  expect(session.clears).toBe(1);
});

const KEEPS: readonly (readonly [what: string, work: (session: FakeSession) => Promise<void>, told: RegExp])[] = [
  ["nothing was written", async () => undefined, /wrote nothing to shop\.md/],
  ["the file was only read", (s) => s.tool("Bash", { command: "cat shop.md" }, () => undefined), /wrote nothing/],
  [
    "another program wrote the file",
    async (s) => s.write(SHOP, "# Shop\n- by somebody else\n"),
    /wrote nothing to shop\.md/,
  ],
  [
    "another file was written",
    (s) => s.tool("Write", { file_path: `${MEMORY}/other.md` }, () => s.write(SHOP, "# Shop\n- by somebody else\n")),
    /wrote nothing/,
  ],
  [
    "a tool that names a longer name ran",
    (s) => s.tool("Bash", { command: "echo x >> my_shop.md" }, () => s.write(SHOP, "# Shop\n- by somebody else\n")),
    /wrote nothing/,
  ],
  [
    "the tool failed",
    (s) => s.tool("Write", { file_path: SHOP }, () => s.write(SHOP, "# Shop\n- half\n"), { fails: true }),
    /wrote nothing/,
  ],
  [
    "what was written is gone again",
    async (s) => {
      await s.writeShop();
      s.write(SHOP, "# Shop\n");
    },
    /wrote nothing/,
  ],
  [
    "the turn was aborted",
    async (s) => {
      await s.writeShop();
      s.reason = "aborted";
    },
    /did not end with an answer/,
  ],
  [
    "the turn failed",
    async (s) => {
      await s.writeShop();
      s.reason = "error";
    },
    /did not end with an answer/,
  ],
  [
    "there is no answer",
    async (s) => {
      await s.writeShop();
      s.answer = "";
    },
    /did not end with an answer/,
  ],
  [
    "the user typed a key",
    async (s) => {
      await s.writeShop();
      await s.typed("x");
    },
    /you are typing/,
  ],
  [
    "the user recalled a prompt",
    async (s) => {
      await s.writeShop();
      await s.fire("prompt.change", { text: "old", cursor: 0, origin: { kind: "history" } });
    },
    /you are typing/,
  ],
  [
    "the user wrote from elsewhere",
    async (s) => {
      await s.writeShop();
      await s.submit("wait", "bridge");
    },
    /you are typing/,
  ],
  [
    "the user queued a prompt",
    async (s) => {
      await s.writeShop();
      await s.submit("wait", "composer");
    },
    /you are typing/,
  ],
  [
    "the user pressed Esc",
    async (s) => {
      await s.writeShop();
      await s.escape();
    },
    /you stopped the session/,
  ],
  [
    "a draft stands in the input field",
    async (s) => {
      await s.writeShop();
      s.draft = "by the way";
    },
    /draft/,
  ],
  [
    "subagents still run",
    async (s) => {
      await s.writeShop();
      s.tasks = [{ id: "a1", type: "subagent", status: "running" }];
    },
    /subagents/,
  ],
  [
    "a cancel lies in control/",
    async (s) => {
      await s.writeShop();
      s.ask("c1", "cancel");
    },
    /cancelled/,
  ],
  [
    "a prompt of the user lies in control/",
    async (s) => {
      await s.writeShop();
      s.ask("p1", "prompt", { text: "hello" });
    },
    /you are typing/,
  ],
];

describe.each(["self", "auto", "new"])("/pause %s", (word) => {
  test.each(KEEPS)("keeps the context when %s", async (_what, work, told) => {
    await pauseSelf(() => work(session), word);
    await session.pass(300);
    expect(session.clears).toBe(0);
    expect(session.filled).toEqual([]);
    expect(session.toasts.join("\n")).toMatch(told);
  });
});

test("a bare move of the cursor, or what the plugin and a submit change in the field, keeps the fresh start", async () => {
  await pauseSelf(async () => {
    await session.writeShop();
    await session.typed("");
    for (const kind of ["clear", "plugin", "engine"]) {
      await session.fire("prompt.change", { text: "", cursor: 0, origin: { kind } });
    }
  });
  expect(session.clears).toBe(1);
});

test("a background shell that runs does not keep it", async () => {
  session.tasks = [{ id: "b1", type: "shell", status: "running" }];
  await pauseSelf();
  expect(session.clears).toBe(1);
});

test("/pause cancel keeps the context, and says so where nothing is planned", async () => {
  expect(await session.command("pause", "cancel")).toMatch(/No fresh start is planned/);
  session.work = () => session.writeShop();
  await session.command("pause", "self");
  expect(await session.command("pause", "abbrechen")).toMatch(/Cancelled/);
  await session.pass(300);
  expect(session.submitted).toHaveLength(1);
  expect(session.clears).toBe(0);
});

test("a queued turn before the save's own is not its turn", async () => {
  session.work = () => session.writeShop();
  await session.command("pause", "self");
  // It begins before the save's prompt does, writes the file, and ends: nothing is decided yet.
  await session.submit("<task-notification>…", "task-notification");
  expect(session.clears).toBe(0);
  await session.pass(200);
  expect(session.clears).toBe(1);
});

test("what a queued turn wrote only counts while it stands at the end of the save's own", async () => {
  session.work = () => session.writeShop();
  await session.command("pause", "self");
  await session.submit("<task-notification>…", "task-notification");
  session.work = async () => session.write(SHOP, "# Shop\n");
  await session.pass(200);
  expect(session.clears).toBe(0);
});

test("a subagent's turn decides nothing", async () => {
  await pauseSelf(async () => {
    await session.writeShop();
    await session.fire("turn.start", { text: "[PAUSE-TURN", turnId: "a", agentId: "a1" });
    await session.fire("turn.complete", { turnId: "a", reason: "answer", answer: "x", agentId: "a1" });
    expect(session.clears).toBe(0);
  });
  expect(session.clears).toBe(1);
});

test("typing just before the context is cleared keeps it", async () => {
  session.work = () => session.writeShop();
  await session.command("pause", "self");
  const engineRead = jest.fn();
  // The last thing that is asked before /clear is the input field: a key comes while it is being read.
  let reads = 0;
  Object.defineProperty(session, "draft", {
    get: () => {
      reads += 1;
      if (reads === 2) void session.typed("x");
      engineRead();
      return "";
    },
    set: () => undefined,
  });
  await session.pass(300);
  expect(engineRead).toHaveBeenCalledTimes(2);
  expect(session.clears).toBe(0);
  expect(session.toasts.join()).toMatch(/you are typing/);
});

test("a cancel in the last moment keeps the context", async () => {
  session.work = () => session.writeShop();
  await session.command("pause", "self");
  let reads = 0;
  Object.defineProperty(session, "draft", {
    get: () => {
      reads += 1;
      if (reads === 1) session.ask("c1", "cancel");
      return "";
    },
    set: () => undefined,
  });
  await session.pass(300);
  expect(session.clears).toBe(0);
  expect(session.steps("c1")).toEqual(["queued", "delivered"]);
});

test("a turn that began meanwhile keeps the context", async () => {
  session.work = () => session.writeShop();
  await session.command("pause", "self");
  let reads = 0;
  Object.defineProperty(session, "draft", {
    get: () => {
      reads += 1;
      if (reads === 2) void session.fire("turn.start", { text: "<task-notification>", turnId: "t9" });
      return "";
    },
    set: () => undefined,
  });
  await session.pass(300);
  expect(session.clears).toBe(0);
  expect(session.toasts.join()).toMatch(/went on working/);
});

test("what the user typed while the context was cleared stays in the field", async () => {
  session.onClear = () => (session.draft = "hm");
  await pauseSelf();
  expect(session.clears).toBe(1);
  expect(session.filled).toEqual([]);
  expect(session.toasts.join()).toContain(PHRASE);
});

test("with auto, nothing is sent into a field somebody types in", async () => {
  session.onClear = () => (session.draft = "hm");
  await pauseSelf(undefined, "auto");
  expect(session.submitted).toHaveLength(1);
});

test("a /clear that another plugin refused is not taken for one", async () => {
  session.clearDoesNothing = true;
  await pauseSelf();
  expect(session.filled).toEqual([]);
  expect(session.toasts.join()).toMatch(/did not work/);
});

test("while a save runs another one is refused, after a minute without a turn it is not", async () => {
  session.submitDrop = undefined;
  await session.command("pause", "self");
  expect(await session.command("pause", "self")).toMatch(/already saving/);
  expect(await session.command("pause", "new")).toMatch(/already saving/);

  const stuck = new FakeSession();
  await stuck.start();
  await stuck.prompt(PHRASE);
  await stuck.command("pause", "self");
  // The prompt is lost: no turn begins.
  jest.spyOn(stuck, "turn").mockResolvedValue(undefined);
  await stuck.pass(59_999);
  expect(await stuck.command("pause", "self")).toMatch(/already saving/);
  await stuck.pass(1);
  expect(await stuck.command("pause", "self")).toMatch(/starts fresh/);
});

test("a save that cannot begin is over, and says so", async () => {
  session.submitDrop = "a Stop stands";
  await pauseSelf();
  expect(session.toasts.join()).toMatch(/could not begin/);
  session.submitDrop = undefined;
  expect(await session.command("pause", "self")).toMatch(/starts fresh/);
});

test.each([
  ["no phrase", "hello", /began without a pickup phrase/],
  ["a phrase that is not in the index", "garden pickup", /no 🔑 entry/],
  ["an ambiguous phrase", "twice pickup", /several files/],
])("%s starts nothing fresh", async (_what, prompt, told) => {
  const other = new FakeSession();
  other.write(`${MEMORY}/MEMORY.md`, "- [A](a.md) 🔑 `twice pickup`\n- [B](b.md) 🔑 `twice pickup`\n");
  await other.start();
  await other.prompt(prompt);
  for (const word of ["self", "auto"]) expect(await other.command("pause", word)).toMatch(told);
  await other.pass(300);
  expect(other.submitted).toEqual([]);
  // With new it saves all the same, and stays.
  expect(await other.command("pause", "new")).toMatch(/does not start fresh/);
  await other.pass(300);
  expect(other.submitted).toHaveLength(1);
  expect(other.clears).toBe(0);
});

test("a conversation that was cleared by hand meanwhile is not asked to save what it does not know", async () => {
  await session.command("pause", "self");
  await session.fire("session.end", { reason: "clear", sessionId: session.id });
  session.id = "session-9";
  await session.pass(300);
  expect(session.submitted).toEqual([]);
  // Nothing is left in the way, either.
  session.rows = [{ role: "user", text: PHRASE }];
  expect(await session.command("pause", "self")).toMatch(/starts fresh/);
});

test("an unknown word gets the usage, and does nothing", async () => {
  expect(await session.command("pause", "later")).toMatch(/^Usage: /);
  await session.pass(300);
  expect(session.submitted).toEqual([]);
});

test("the memory index that the session has read counts, not the one it would have", async () => {
  session.write("/srv/memory/MEMORY.md", `- [Shop](garden.md) 🔑 \`${PHRASE}\``);
  session.memoryFiles = ["/home/dev/CLAUDE.md", "/srv/memory/MEMORY.md"];
  expect(await session.command("pause", "self")).toMatch(/garden\.md/);
});

test("after a compaction the session still knows what it began with, while the index lists it", async () => {
  session.rows = [{ role: "user", text: "This session is being continued …" }];
  expect(await session.command("pause", "self")).toMatch(/shop\.md/);
  await session.command("pause", "cancel");

  const other = new FakeSession();
  await other.start();
  await other.prompt(PHRASE);
  other.rows = [{ role: "user", text: "This session is being continued …" }];
  other.write(`${MEMORY}/MEMORY.md`, "- nothing");
  expect(await other.command("pause", "self")).toMatch(/without a pickup phrase/);
});

describe("/pause auto", () => {
  /** The token of the save that runs. */
  const token = () => /\[PAUSE-TURN ([0-9a-f]{4})\]/.exec(session.submitted[0] ?? "")?.[1] ?? "";

  test.each([
    ["yes", (t: string) => `Auto-continue: yes — build it [${t}]`, /do the step of/],
    ["no", (t: string) => `Auto-Weiter: nein — fragt etwas [${t}]`, /then wait/],
    ["an old token", () => "Auto-continue: yes — build it [zzzz]", /no clear/],
    ["nothing", () => "- something", /no clear/],
  ])("the fresh session is sent its phrase and what to do: %s", async (_what, line, then) => {
    await pauseSelf(async () => {
      if (session.submitted.length === 1) await session.writeShop(line(token()));
    }, "auto");
    expect(session.clears).toBe(1);
    expect(session.filled).toEqual([]);
    expect(session.submitted[1]).toMatch(new RegExp(`^${PHRASE}\\n`));
    expect(session.submitted[1]).toMatch(then);
  });

  test("the token does not stand in the file yet", async () => {
    const bytes = jest.spyOn(globalThis.crypto, "getRandomValues");
    bytes.mockImplementationOnce((array) => {
      if (array instanceof Uint8Array) array.set([0xab, 0xcd]);
      return array;
    });
    session.write(SHOP, "# Shop\nAuto-continue: yes — old [ABCD]\n");
    await pauseSelf(undefined, "auto");
    expect(session.submitted[0]).not.toContain("[abcd]");
    bytes.mockRestore();
  });
});

test("a run without a person has no commands, no mark and no requests", async () => {
  const headless = new FakeSession();
  await headless.start({ isInteractive: false });
  headless.ask("r1", "prompt", { text: "hello" });
  await headless.pass(5_000);
  expect(headless.submitted).toEqual([]);
  expect([...headless.files.keys()].filter((path) => path.endsWith("/plugin/session-1.json"))).toEqual([]);
});
