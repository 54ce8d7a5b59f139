import fc from "fast-check";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ask } from "../../src/control/ask";
import { machineSurroundings } from "../../src/control/machine";
import { cleanMessage } from "../../src/control/message-text";
import { comparable } from "../../src/control/memory-file";
import type { ControlSurroundings } from "../../src/control/surroundings";
import { typeText } from "../../src/control/typing";
import { SessionsError } from "../../src/session/failure";
import type { Session } from "../../src/session/session";
import { FakeTerminal, HAS_TMUX, type Told } from "../control/fake-terminal";
import { sessionOf } from "../control/session-sample";
import { scratchFolder } from "../scratch";
import { fuzz } from "./fuzz";
import { payloadsWith } from "./payloads";

const folder = mkdtempSync(join(tmpdir(), "c"));
const canary = join(folder, "c");
const payloads = payloadsWith(canary);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Letters that are keys to a terminal: everything below the blank but line breaks and tabs, and what C1 is. */
// eslint-disable-next-line no-control-regex
const KEYS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const inTmux = HAS_TMUX && process.platform === "linux" ? describe : describe.skip;

inTmux("what is typed into a real tmux", () => {
  let terminal: FakeTerminal;
  let session: Session;
  let surroundings: ControlSurroundings;
  const user = scratchFolder();

  beforeAll(async () => {
    const started = await FakeTerminal.start();
    terminal = started.terminal;
    session = sessionOf({
      terminal: terminal.facts,
      process: { pid: started.pid, knownAt: Date.now() / 1000 },
      live: { status: "idle" },
      cwd: "/w/shop",
      context: { tokens: 10, lastAnswerAt: Date.now() / 1000 },
    });
    surroundings = {
      ...machineSurroundings({
        home: join(user, "home"),
        environment: { PATH: process.env.PATH, HOME: user },
        author: "command",
        refresh: () => Promise.resolve(session),
      }),
      pause: () => Promise.resolve(),
    };
  });

  afterAll(() => terminal.stop());

  /** What the agent was sent since; a mark of ours ends it, and leaves nothing in its input. */
  async function sent(): Promise<Told[]> {
    await terminal.tmux("send-keys", "-t", terminal.pane, "-l", "~end");
    await terminal.tmux("send-keys", "-t", terminal.pane, "Enter");
    const all: Told[] = [];
    for (;;) {
      const told = await terminal.next();
      if ("sent" in told && told.sent.endsWith("~end")) return told.sent === "~end" ? all : [...all, told];
      all.push(told);
    }
  }

  test.each([
    ["a Ctrl-C, after which the agent's shell has the rest", "one\u0003\u0003two"],
    ["a carriage return, which sends", "one\rtwo"],
    ["an escape sequence", "one\u001b[201~two"],
    ["a C1 control", "one\u009b2J"],
  ])("%s is not typed", async (_what, text) => {
    expect(await typeText(session, text, surroundings)).toMatchObject({ outcome: "refused" });
    expect(await sent()).toEqual([]);
  });

  const texts = fc.oneof(
    fc.constantFrom(...payloads.map(([, text]) => text)),
    fc
      .array(fc.constantFrom(...payloads.map(([, text]) => text.slice(0, 80))), { maxLength: 4 })
      .map((parts) => parts.join(" ")),
    fc.string({ unit: "binary", maxLength: 60 }),
  );

  fuzz("a message, typed into tmux", 4, texts, async (raw, tally) => {
    let text: string;
    try {
      text = cleanMessage(raw).text;
    } catch (error) {
      expect(error).toBeInstanceOf(SessionsError);
      return tally.refused();
    }
    const typed = await typeText(session, text, surroundings);
    if (typed.outcome === "typed") expect(await sent()).toEqual([{ sent: text }]);
    else {
      expect(typed.reason.trim()).not.toBe("");
      expect(await sent()).toEqual([]);
      tally.refused();
    }
    expect(existsSync(canary)).toBe(false);
  });

  fuzz("a text that nobody cleaned, typed into tmux", 4, texts, async (text, tally) => {
    const typed = await typeText(session, text, surroundings);
    const read = await sent();
    if (typed.outcome === "typed") {
      expect(text).not.toMatch(KEYS);
      expect(read).toEqual([{ sent: text.toWellFormed() }]);
    } else {
      expect(read).toEqual([]);
      tally.refused();
    }
    expect(existsSync(canary)).toBe(false);
  });

  fuzz("a save, where the session's memory is an enemy's", 4, fc.tuple(texts, texts), async ([phrase, file], tally) => {
    const memory = join(user, ".claude", "projects", "-w-shop", "memory");
    mkdirSync(memory, { recursive: true });
    const words = phrase.replaceAll("`", "").replaceAll("\n", " ");
    const name = file.replace(/[\s)]/g, "");
    writeFileSync(join(memory, "MEMORY.md"), `# Index\n- [x](${name}.md) 🔑 \`go on${words}\`\n`);
    const prompts = [`go on${comparable(words)}`];
    const home = join(scratchFolder(), "home");
    const answer = await ask(session, { kind: "save" }, { ...surroundings, home, transcriptOf: () => ({ prompts }) });
    const read = await sent();
    expect(read.length).toBeLessThanOrEqual(1);
    if (answer.outcome === "reached") {
      const [told] = read;
      const text = told !== undefined && "sent" in told ? told.sent : "";
      expect(text).toMatch(/^Pause: please write now where you stand .* do nothing more\.$/);
      expect(text).not.toMatch(KEYS);
    } else {
      expect(read).toEqual([]);
      tally.refused();
    }
    expect(existsSync(canary)).toBe(false);
  });
});
