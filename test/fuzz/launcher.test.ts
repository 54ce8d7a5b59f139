import fc from "fast-check";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { actions, all, cleanup, eventually, host, run, titleOf, type Node } from "../host";
import { launch, launchNoView } from "../host/launch";
import { MANIFEST } from "../host/manifest";
import { callTool, TOOLS } from "../host/tools";
import { textsIn, UNSEEN } from "../tools/hostile";
import { calmFault } from "./calm";
import { fuzz } from "./fuzz";
import { HostileHome } from "./hostile-home";
import { payloadsWith } from "./payloads";

// A developer's own agents are not this user's.
jest.mock("../../src/views/agents/program-folders", () => ({ programFolders: () => [] }));

const folder = mkdtempSync(join(tmpdir(), "c"));
const canary = join(folder, "c");
const payloads = payloadsWith(canary);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** How long a window may take, in milliseconds, on a machine that is at work. */
const PATIENCE_MS = 30_000;

async function opened(name: string): Promise<Node> {
  const { root } = await launch(name);
  await eventually(() => {
    expect(root.children.length).toBeGreaterThan(0);
    expect(nodesOf(root).filter(({ props }) => props.isLoading === true)).toEqual([]);
  }, PATIENCE_MS);
  return root;
}

/** A list, with the details of its items where it has some. */
async function listed(name: string): Promise<Node> {
  const root = await opened(name);
  for (const item of all(root, "List.Item").slice(0, 1)) {
    const details = actions(item).find((each) => /^Show Details?$/.test(titleOf(each)));
    if (details !== undefined && all(root, "List.Item.Detail").length === 0) await run(details);
  }
  return root;
}

async function inBackground(name: string): Promise<undefined> {
  await launchNoView(name);
}

/**
 * Every command of the launcher: opens it over a hostile home. A new one has to be put in here: else the first test below
 * fails. Whatever is rendered is checked against the launcher's rules as it is.
 */
const COMMANDS: Readonly<Record<string, (name: string) => Promise<Node | undefined>>> = {
  "search-sessions": listed,
  "session-events": listed,
  "pause-sessions": listed,
  "set-up-agents": listed,
  "sessions-in-menu-bar": opened,
  "next-session": inBackground,
  "restart-this-session": inBackground,
  "mark-all-as-read": inBackground,
};

/** Every tool of the launcher's model, and what it is given. */
const TOOL_INPUTS: Readonly<Record<string, (ids: readonly string[]) => unknown>> = {
  "list-sessions": () => ({}),
  "show-session": ([id = ""]) => ({ session: id }),
  "mark-as-read": (ids) => ({ ids }),
  "pause-sessions": (ids) => ({ ids }),
};

test("every command and every tool of the manifest is in the table", () => {
  expect(Object.keys(COMMANDS).sort()).toEqual(MANIFEST.commands.map(({ name }) => name).sort());
  expect(Object.keys(TOOL_INPUTS).sort()).toEqual(TOOLS.map(({ name }) => name).sort());
});

/** Has the launcher's preferences name a home. */
function prefer(home: HostileHome, more: Record<string, unknown> = {}): void {
  const { places, user } = home;
  host.preferences = {
    homeDirectory: places.home,
    statusDirectory: places.statusDirectory,
    signalStateFile: places.signalStateFile,
    claudeDirectories: join(user, ".claude"),
    ...more,
  };
}

/** What of a text in Markdown is not in a code block (CommonMark, fenced code blocks). */
function outsideOfCode(markdown: string): string {
  let fence: string | undefined;
  const outside: string[] = [];
  for (const line of markdown.split("\n")) {
    const [, mark = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (fence !== undefined) {
      if (mark.startsWith(fence) && rest.trim() === "") fence = undefined;
    } else if (mark !== "" && !(mark.startsWith("`") && rest.includes("`"))) fence = mark;
    else outside.push(line);
  }
  expect(fence).toBeUndefined();
  return outside.join("\n");
}

function nodesOf(root: Node): Node[] {
  return [root, ...root.children.flatMap(nodesOf)];
}

/** Nothing in a tree loads a picture, is a link, or opens what is not a path of this machine. */
function expectInert(root: Node): void {
  for (const { type, props } of nodesOf(root)) {
    const { markdown } = props;
    if (typeof markdown === "string") {
      const outside = outsideOfCode(markdown);
      expect([type, /!\[|\]\(|<[a-z!/]|https?:|raycast:/i.exec(outside)?.[0]]).toEqual([type, undefined]);
    }
    for (const name of ["url", "target", "path"]) {
      const value = props[name];
      if (typeof value !== "string") continue;
      expect([type, name, value, value.startsWith("/"), /\p{Cc}/u.test(value)]).toEqual([
        type,
        name,
        value,
        true,
        false,
      ]);
    }
    if (type === "Metadata.Link") expect(String(props.target)).not.toContain("x.invalid");
  }
}

/** What the user was told or asked beside a window. */
function expectCalmAside(): void {
  const told = [
    ...host.huds,
    ...host.toasts.flatMap(({ title, message }) => [title, message ?? ""]),
    ...host.alerts.flatMap(({ title, message }) => [title, message ?? ""]),
  ];
  for (const text of told) {
    const fault = calmFault(text);
    if (fault !== undefined) throw new Error(`the user was told ${fault}: ${JSON.stringify(text)}`);
  }
}

fuzz(
  "places × payloads × launcher",
  1,
  fc.record({ shift: fc.nat({ max: payloads.length - 1 }), isMarkedFirst: fc.boolean() }),
  async ({ shift, isMarkedFirst }) => {
    const home = new HostileHome((index) => payloads[(index + shift) % payloads.length]?.[1] ?? "", isMarkedFirst);
    for (const [name, open] of Object.entries(COMMANDS)) {
      prefer(home);
      const root = await open(name);
      if (root !== undefined) expectInert(root);
      expectCalmAside();
      await cleanup();
      host.reset();
    }
    prefer(home);
    const { answer } = await callTool("list-sessions", {});
    const ids = textsIn(answer)
      .filter((text) => /^[a-z0-9._-]+:\S+$/.test(text))
      .slice(0, 3);
    for (const [name, inputOf] of Object.entries(TOOL_INPUTS)) {
      const called = await callTool(name, inputOf(ids));
      for (const text of textsIn([called.answer, called.asked])) {
        expect([name, UNSEEN.exec(text)?.[0].codePointAt(0)?.toString(16)]).toEqual([name, undefined]);
      }
    }
    host.reset();
    expect(existsSync(canary)).toBe(false);
    rmSync(join(home.places.home, ".."), { recursive: true, force: true });
  },
  { limitMs: 60_000, shrinks: false },
);

const TEXTFIELDS = MANIFEST.preferences?.filter(({ type }) => type === "textfield").map(({ name }) => name) ?? [];

fuzz(
  "preferences",
  3,
  fc.tuple(fc.constantFrom(...TEXTFIELDS), fc.constantFrom(...payloads), fc.constantFrom("", "x=", "~/", "/")),
  async ([name, [, text], before]) => {
    const home = new HostileHome(() => "");
    // Below the user's own folder, whatever it says: nothing is written anywhere else.
    const value = `${before === "/" ? `${home.user}/` : before}x${text.replaceAll("..", "")}`.slice(0, 300);
    prefer(home, { [name]: value });
    // A preference that cannot be is told of in the window, in place of the list or in it.
    expectInert(await opened("search-sessions"));
    expectCalmAside();
    await cleanup();
    host.reset();
    expect(existsSync(canary)).toBe(false);
    rmSync(join(home.places.home, ".."), { recursive: true, force: true });
  },
  { limitMs: 60_000, shrinks: false },
);
