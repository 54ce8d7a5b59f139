import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { MAPPED_AGENTS, mapperOf } from "../../src/agents/registry";
import { taskEndsIn, titleFrom } from "../../src/agents/claude/prompt";
import { escapePrompt } from "../../src/cli/bars/prompt";
import { escapeTitle } from "../../src/cli/bars/swiftbar";
import { escapeTmux } from "../../src/cli/bars/tmux";
import { escapePango } from "../../src/cli/bars/waybar";
import { cutWidth } from "../../src/cli/table";
import { comparable, phrasesIn } from "../../src/control/memory-file";
import { cleanMessage } from "../../src/control/message-text";
import { decodeClaudeAgents } from "../../src/files/claude-agents-json";
import { decodeClaudeRegistry } from "../../src/files/claude-registry";
import { decodeOutcome } from "../../src/files/control-outcome";
import { decodeRequest } from "../../src/files/control-request";
import { decodeStopAnswer } from "../../src/files/control-stop-answer";
import { parseCutObject } from "../../src/files/cut-json";
import { decodeRejected } from "../../src/files/event-log";
import { decodeInboxEntry } from "../../src/files/inbox-entry";
import { decodeLastList } from "../../src/files/last-list";
import { decodeReadMarks } from "../../src/files/read-marks";
import { decodeSessionFile } from "../../src/files/session-file";
import { readJsonSettings } from "../../src/files/settings-json";
import { readTomlSettings } from "../../src/files/settings-toml";
import { readYamlSettings } from "../../src/files/settings-yaml";
import { decodeSignalDocument } from "../../src/files/signal-document";
import { decodeStatusFile } from "../../src/files/status-file";
import { secondsOfIso } from "../../src/files/timestamp";
import { asPath, asShown } from "../../src/files/transcript-values";
import { agentNamed, identityOfSignal } from "../../src/session/identity";
import { cutText, oneLine, printable, printableJson, textLength } from "../../src/session/text";
import { fenced, printableLines } from "../../src/views/plain-text";
import { part } from "../thoroughness";
import { report } from "./fuzz";
import { memberOf } from "./literal";

const ROOT = join(__dirname, "..", "..");

/** A hundred kilobytes and a megabyte, and how much longer the ten times longer text may take. */
const SHORT = 100_000;
const LONG = 1_000_000;
const TIMES = 20;

/** What takes no longer than this over a megabyte is not quadratic, whatever else the machine does meanwhile; in ms. */
const ENOUGH_MS = 8_000;

/** A regular expression as it stands in a file. */
interface Found {
  place: string;
  pattern: RegExp;
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return /\.tsx?$/.test(entry.name) && !/\.(?:test|d)\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** Every regular expression in the sources, and where one is made of other texts. */
function patternsIn(files: readonly string[]): { found: Found[]; made: string[] } {
  const found: Found[] = [];
  const made: string[] = [];
  for (const file of files) {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.ES2023, true);
    const visit = (node: ts.Node) => {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart());
      const place = `${relative(ROOT, file)}:${line + 1}`;
      if (ts.isRegularExpressionLiteral(node)) {
        const [, body = "", flags = ""] = /^\/(.*)\/([a-z]*)$/s.exec(node.text) ?? [];
        found.push({ place, pattern: new RegExp(body, flags) });
      }
      if (ts.isNewExpression(node) && node.expression.getText() === "RegExp") made.push(relative(ROOT, file));
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { found, made };
}

const FILES = [...filesIn(join(ROOT, "src")), ...filesIn(join(ROOT, "assets", "claude-plugin"))];
const { found, made } = patternsIn(FILES);

/** What is repeated: single letters of every kind, and whatever stands literally in the pattern. */
function pumpsOf({ source }: RegExp): string[] {
  const letters = [
    " ",
    "\t",
    "\n",
    "a",
    "A",
    "0",
    "-",
    "_",
    ".",
    "/",
    "\\",
    '"',
    "'",
    ":",
    ",",
    "%",
    "`",
    "é",
    "日",
    "\u202e",
  ];
  const words = source.match(/[A-Za-z<>_"`-]{2,}/g) ?? [];
  const own = Array.from(new Set(source.replace(/\\[a-zA-Z]/g, "").replace(/[\\[\](){}^$?*+|]/g, "")));
  const pairs = own.slice(0, 6).flatMap((one) => [`${one} `, ` ${one}`, `${one}a`]);
  return Array.from(new Set([...letters, ...own, ...words, ...words.map((word) => `${word} `), ...pairs]));
}

/** Texts of a length in which a pattern may look long for an end that is not there. */
function attacks(pattern: RegExp, pump: string, length: number): string[] {
  const body = pump.repeat(Math.ceil(length / pump.length)).slice(0, length);
  const [word = ""] = pattern.source.match(/[A-Za-z<>_"`-]{2,}/) ?? [];
  return [body, `${body}\u0000`, `a${body}\u0000`, `${word}${body}!`];
}

/** How a pattern is used on a text: every match is looked for. */
function use(pattern: RegExp, text: string): void {
  pattern.lastIndex = 0;
  pattern.test(text);
  if (pattern.flags.includes("g")) text.replace(pattern, "");
}

function costOf(work: () => void, tries = 1): number {
  let least = Infinity;
  for (let n = 0; n < tries; n += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/**
 * How many times longer the long text takes than the short one; none where it does not take long at all. What is
 * quadratic takes a second for the short one, and minutes for the long one, which is not tried then.
 */
function timesLonger(work: (text: string) => void, textOf: (length: number) => string): number {
  const of = (length: number, tries: number) => {
    const text = textOf(length);
    return costOf(() => work(text), tries);
  };
  if (of(SHORT / 5, 1) > 1_000 && of(SHORT / 5, 3) > 1_000) return Infinity;
  const first = of(SHORT, 1);
  if (first < 50) return 0;
  const short = first > 3_000 ? first : of(SHORT, 3);
  if (short > 1_000) return Infinity;
  const long = of(LONG, 1);
  return long <= ENOUGH_MS ? 0 : Math.min(long, of(LONG, 1)) / short;
}

/** The pump that costs most at a tenth of the short length, so that what explodes is known before it is long. */
function worstOf(pattern: RegExp): { pump: string; cost: number } {
  let worst = { pump: "a", cost: 0 };
  for (const pump of pumpsOf(pattern)) {
    for (const text of part(attacks(pattern, pump, SHORT / 20), 4)) {
      const cost = costOf(() => use(pattern, text));
      if (cost > worst.cost) worst = { pump, cost };
    }
  }
  return worst;
}

/**
 * Patterns that take more than linear time, and why no outside text of such a length gets there. Each has to be looked at
 * by hand; it is best to write one that is linear.
 */
const BOUNDED: Readonly<Record<string, string>> = {
  "/(?<=.)[\\\\/]+$/": "the plugin's: the variable that names our home, which the user sets",
};

test("every pattern is found", () => {
  expect(found.length).toBeGreaterThan(150);
  // Made of constants, of a file's name with its letters escaped, or of names of variables.
  expect(Array.from(new Set(made)).sort()).toEqual([
    "assets/claude-plugin/core/carry-on.ts",
    "assets/claude-plugin/core/file-path.ts",
    "src/store/record.ts",
    "src/terminals/this-machine.ts",
  ]);
});

test("no regular expression takes more than linear time over a megabyte", () => {
  const began = process.hrtime.bigint();
  const slow: string[] = [];
  const patterns = new Map(
    found.map(({ place, pattern }) => [`${pattern.source} ${pattern.flags}`, { place, pattern }]),
  );
  let inputs = 0;
  for (const { place, pattern } of patterns.values()) {
    const key = `/${pattern.source}/${pattern.flags}`;
    if (BOUNDED[key] !== undefined) continue;
    const { pump, cost } = worstOf(pattern);
    // At five kilobytes nothing linear takes long: what does is not tried with more.
    let worst = cost > 40 ? Infinity : 0;
    for (const index of part(Array.from(attacks(pattern, pump, 1).keys()), 4)) {
      const attack = (length: number) => attacks(pattern, pump, length)[index] ?? "";
      inputs += 1;
      if (worst < TIMES)
        worst = Math.max(
          worst,
          timesLonger((text) => use(pattern, text), attack),
        );
    }
    if (worst >= TIMES) slow.push(`${place} ${key} over ${JSON.stringify(pump)}`);
  }
  expect(slow).toEqual([]);
  report({
    target: "regular expressions over a megabyte",
    inputs,
    refusedWithReason: 0,
    seconds: Number(process.hrtime.bigint() - began) / 1e9,
    seed: 0,
  });
});

/** Everything that is given texts from outside, whatever their length. */
const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  cutText: (text) => cutText(text, 200),
  textLength,
  oneLine,
  printable,
  printableJson,
  printableLines,
  fenced,
  cutWidth: (text) => cutWidth(text, 80),
  escapeTitle,
  escapePango,
  escapeTmux,
  escapePrompt: (text) => escapePrompt(text, "zsh"),
  agentNamed,
  identityOfSignal: (text) => identityOfSignal(text, text),
  titleFrom,
  taskEndsIn,
  asShown,
  asPath,
  secondsOfIso,
  comparable,
  phrasesIn: (text) => phrasesIn(text, "/m"),
  cleanMessage: (text) => {
    try {
      return cleanMessage(text);
    } catch {
      return undefined;
    }
  },
  parseCutObject,
  decodeInboxEntry,
  "decodeInboxEntry, its head": (text) => decodeInboxEntry(`agent-sessions 1\nagent=a\nX=${text}\n\n{}`),
  decodeRejected: (text) => decodeRejected("1-x.txt", text),
  decodeStopAnswer,
  decodeStatusFile: (text) => decodeStatusFile(text, "a.json"),
  "decodeStatusFile, its texts": (text) => {
    const fields = { title: text, message: text, cwd: text, agent: text, event: text, tool: text };
    return decodeStatusFile(JSON.stringify({ session_id: "a", state: "idle", ts: 1, ...fields }), "a.json");
  },
  decodeSignalDocument,
  "decodeSignalDocument, its texts": (text) =>
    decodeSignalDocument(
      JSON.stringify({ sessions: { [text]: { signal: "working", updated_at: text, agent: text } }, updated_at: text }),
    ),
  decodeClaudeRegistry: (text) => decodeClaudeRegistry(text, "1.json", "/c"),
  "decodeClaudeRegistry, its texts": (text) =>
    decodeClaudeRegistry(JSON.stringify({ sessionId: "a", name: text, cwd: text, tmux: text }), "1.json", "/c"),
  decodeClaudeAgents: (text) => decodeClaudeAgents(text, "/c"),
  decodeLastList: (text) => decodeLastList(text, "s"),
  decodeReadMarks,
  decodeSessionFile,
  decodeRequest,
  decodeOutcome,
  readJsonSettings,
  "readJsonSettings, a text": (text) => readJsonSettings(JSON.stringify({ a: text })),
  readTomlSettings,
  "readTomlSettings, a text": (text) => readTomlSettings(`a = ${JSON.stringify(text)}`),
  readYamlSettings,
  ...Object.fromEntries(
    [...MAPPED_AGENTS, "generic"].map((agent) => [
      `the mapping of ${agent}`,
      (text: string) => mapperOf(agent)(payloadOf(text), { at: 1, env: { PWD: text }, event: text }),
    ]),
  ),
};

/** A payload every text of which is long, under all the names that agents use. */
function payloadOf(text: string): Record<string, unknown> {
  const names = [
    "prompt",
    "message",
    "tool_name",
    "error",
    "error_details",
    "title",
    "cwd",
    "text",
    "summary",
    "reason",
  ];
  return {
    session_id: "s",
    sessionId: "s",
    conversation_id: "s",
    "thread-id": "s",
    hook_event_name: "PermissionRequest",
    type: "agent-turn-complete",
    tool_input: { command: text, description: text, file_path: text, questions: [{ question: text }] },
    background_tasks: [{ id: text, type: "shell", command: text }],
    ...Object.fromEntries(names.map((name) => [name, text])),
  };
}

const SHAPES: readonly ((length: number) => string)[] = [
  (length) => " ".repeat(length),
  (length) => "\n".repeat(length),
  (length) => "\t \r".repeat(length / 3),
  (length) => "a".repeat(length),
  (length) => "[".repeat(length),
  (length) => '{"a":'.repeat(length / 5),
  (length) => '"\\'.repeat(length / 2),
  (length) => "`".repeat(length),
  (length) => "\u202e\u001b[".repeat(length / 3),
  (length) => "e\u0301".repeat(length / 2),
  (length) => "🔑 (".repeat(length / 4),
  (length) => "<task-notification>".repeat(length / 19),
  (length) => "- [a](b".repeat(length / 7),
  (length) => "0123456789".repeat(length / 10),
  (length) => "../".repeat(length / 3),
  (length) => "a: &a\n".repeat(length / 6),
  (length) => "#".repeat(length),
  (length) => "'".repeat(length),
  (length) => "\\".repeat(length),
];

describe("no reader takes more than linear time over a megabyte", () => {
  test.each(Object.entries(READERS))("%s", (_name, reader) => {
    const costs = part(SHAPES, 4).map((shape) => ({
      shape: shape(12),
      times: timesLonger((text) => void reader(text), shape),
    }));
    expect(costs.filter(({ times }) => times >= TIMES)).toEqual([]);
  });

  test("and every decoder of a file is among them", () => {
    const folder = join(ROOT, "src", "files");
    const decoders = readdirSync(folder).flatMap((file) =>
      Array.from(
        readFileSync(join(folder, file), "utf8").matchAll(/^export function ((?:decode|read)[A-Z]\w+?)(?<!Codec)\(/gm),
        ([, name = ""]) => name,
      ),
    );
    // The rest are given what JSON.parse gave, or files of our own that are no larger than a few lines.
    const small = [
      "decodeSent",
      "decodeEventLine",
      "decodeIgnoredLine",
      "decodeInstalledNote",
      "decodePluginManifest",
      "decodePausedFlag",
      "decodePluginMark",
      "decodeSettingsMemories",
    ];
    const known = new Set([...Object.keys(READERS), ...small]);
    expect(decoders.filter((name) => !known.has(name))).toEqual([]);
    expect(memberOf(READERS, "decodeStatusFile")).toBeDefined();
  });
});
