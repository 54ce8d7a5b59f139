import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { LOOKS } from "../../src/session/looks";
import { STATES } from "../../src/session/state";
import { SECTION_TITLES } from "../../src/views/section-title";
import { MANIFEST, PROJECT } from "../host/manifest";
import { isTitleCase } from "../host/title-case";

const SOURCES = join(PROJECT, "src");

const paths = readdirSync(SOURCES, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => path.replaceAll("\\", "/"));

/** The rooms that may know the launcher: the commands, which lie flat in src, and the views. */
const shown = paths.filter((path) => !path.includes("/") || path.startsWith("views/"));

function parse(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(SOURCES, path), "utf8"), ts.ScriptTarget.ES2023, true);
}

/** Every node of a tree. */
function* nodes(node: ts.Node): Iterable<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodes(child);
}

function find<T extends ts.Node>(root: ts.Node, is: (node: ts.Node) => node is T): T[] {
  return Array.from(nodes(root)).filter(is);
}

/** The texts that an expression may come to; what a template fills in counts as a word. */
function textsIn(expression: ts.Node): string[] {
  if (ts.isStringLiteral(expression) || ts.isNoSubstitutionTemplateLiteral(expression)) return [expression.text];
  if (ts.isTemplateExpression(expression)) {
    return [expression.head.text + expression.templateSpans.map(({ literal }) => `X${literal.text}`).join("")];
  }
  // What is compared is not shown.
  if (ts.isBinaryExpression(expression)) return [];
  return expression.getChildren().flatMap(textsIn);
}

/** Whether a handler gives the launcher what to wait for: an expression, an async block, or one that ends with it. */
function givesPromise({ body, modifiers }: ts.ArrowFunction): boolean {
  if (!ts.isBlock(body) || modifiers !== undefined) return true;
  const last = body.statements.at(-1);
  return last !== undefined && ts.isReturnStatement(last) && last.expression !== undefined;
}

describe("the sources", () => {
  test("only commands and views know the launcher", () => {
    const importing = paths.filter((path) =>
      find(parse(path), ts.isImportDeclaration).some(
        ({ moduleSpecifier }) =>
          ts.isStringLiteral(moduleSpecifier) && /^(@raycast\/|react$)/.test(moduleSpecifier.text),
      ),
    );
    expect(importing.length).toBeGreaterThan(10);
    expect(importing.filter((path) => !shown.includes(path))).toEqual([]);
  });

  test("no action drops its promise: what is not awaited is lost when the launcher unloads the command", () => {
    const dropped = shown.flatMap((path) => {
      const source = parse(path);
      const voids = find(source, ts.isVoidExpression).filter(({ expression }) => ts.isCallExpression(expression));
      const handlers = find(source, ts.isJsxAttribute)
        .filter(({ name }) => name.getText() === "onAction")
        .flatMap((attribute) => find(attribute, ts.isArrowFunction))
        .filter((handler) => !givesPromise(handler));
      return [...voids, ...handlers].map((node) => `${path}: ${node.getText()}`);
    });
    expect(dropped).toEqual([]);
  });

  test("every title is in Title Case", () => {
    const speaking = new Set(["carryOut", "mark", "say", "sayFailed", "showHUD"]);
    const titles = shown.flatMap((path) => {
      const source = parse(path);
      const attributes = find(source, ts.isJsxAttribute).filter(({ name }) => name.getText() === "title");
      const properties = find(source, ts.isPropertyAssignment).filter(({ name }) => name.getText() === "title");
      const spoken = find(source, ts.isCallExpression)
        .filter(({ expression }) => speaking.has(expression.getText()))
        .flatMap((call) => Array.from(call.arguments));
      return [...attributes, ...properties, ...spoken].flatMap(textsIn).map((text) => `${path}: ${text}`);
    });
    titles.push(...Object.values(SECTION_TITLES).map((text) => `section: ${text}`));
    titles.push(...STATES.map((state) => `state: ${LOOKS[state].word}`));
    expect(titles).toContain("views/session-actions.tsx: Marking All as Read…");
    expect(titles).toContain("views/sessions-menu.tsx: Mark All as Read");
    expect(titles).toContain("mark-all-as-read.ts: Could Not Mark All as Read");
    // Where it stands is not part of it; neither is a reason after a colon.
    const said = titles.map((line) => line.slice(line.indexOf(": ") + 2)).filter((text) => text.trim() !== "");
    expect(said.filter((text) => !isTitleCase(text.replace(/: X$/, "")))).toEqual([]);
  });

  test("every state has its picture, at two sizes of a menu bar and with its drawing", () => {
    for (const name of [...STATES.map((state) => LOOKS[state].icon), "state-paused"]) {
      expect([name, existsSync(join(PROJECT, "assets", "icons-src", `${name}.svg`))]).toEqual([name, true]);
      const [width, height] = sizeOf(`${name}.png`);
      expect(width).toBe(height);
      expect(width).toBeGreaterThanOrEqual(32);
    }
  });
});

/** Width and height of a PNG in assets/, from its header. */
function sizeOf(name: string): [width: number, height: number] {
  const bytes = readFileSync(join(PROJECT, "assets", name));
  expect(bytes.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe("the manifest", () => {
  const CATEGORIES = [
    ...["Applications", "Communication", "Data", "Documentation", "Design Tools", "Developer Tools", "Finance", "Fun"],
    ...["Media", "News", "Productivity", "Security", "System", "Web", "Other"],
  ];

  test("names, titles and descriptions are as the store takes them", () => {
    const { name, title, description, license, author, contributors = [] } = MANIFEST;
    expect({ name, title, license }).toEqual({ name: "agent-sessions", title: "Agent Sessions", license: "MIT" });
    expect(author).toMatch(/^[\w-]+$/);
    expect(contributors).not.toContain(author);
    for (const each of [MANIFEST, ...MANIFEST.commands]) {
      expect(each.name).toMatch(/^[a-z0-9-~][a-z0-9-_~]{2,254}$/);
      expect([each.title, isTitleCase(each.title)]).toEqual([each.title, true]);
      expect(each.title).not.toMatch(/ {2}|\b(a|an|the)\b/i);
      expect(each.description.length).toBeLessThanOrEqual(2048);
      expect(each.description).toMatch(/^[A-Z].*\.$/);
    }
    expect(description.length).toBeGreaterThan(12);
  });

  test("platforms and categories are known ones", () => {
    expect(MANIFEST.platforms).toEqual(["macOS", "Windows"]);
    expect(MANIFEST.categories.length).toBeGreaterThan(0);
    expect(MANIFEST.categories.filter((category) => !CATEGORIES.includes(category))).toEqual([]);
  });

  test("every command has its file, flat in src, and no file is without a command", () => {
    const entries = paths.filter((path) => !path.includes("/")).map((path) => path.replace(/\.tsx?$/, ""));
    expect(entries.sort()).toEqual(MANIFEST.commands.map(({ name }) => name).sort());
  });

  test("modes and intervals", () => {
    expect(MANIFEST.commands.map(({ name, mode }) => [name, mode])).toEqual(
      expect.arrayContaining([
        ["search-sessions", "view"],
        ["sessions-in-menu-bar", "menu-bar"],
        ["mark-all-as-read", "no-view"],
      ]),
    );
    for (const { mode, interval } of MANIFEST.commands) {
      if (mode === "menu-bar") expect(interval).toBeDefined();
      if (mode === "view") expect(interval).toBeUndefined();
      if (interval === undefined) continue;
      expect(interval).toMatch(/^\d+[smhd]$/);
      const unit = new Map(Object.entries({ s: 1, m: 60, h: 3600, d: 86_400 })).get(interval.slice(-1));
      const seconds = Number.parseInt(interval) * (unit ?? Number.NaN);
      expect(seconds).toBeGreaterThanOrEqual(10);
    }
  });

  test("a quick action is off until the user turns it on", () => {
    for (const { mode, disabledByDefault } of MANIFEST.commands) {
      if (mode === "no-view") expect(disabledByDefault).toBe(true);
    }
  });

  test("preferences say whether they are required, what they mean, and what they are when empty", () => {
    for (const { title, description, required, type, label, placeholder } of MANIFEST.preferences) {
      expect(required).toBe(false);
      expect([title, isTitleCase(title)]).toEqual([title, true]);
      expect(description).toMatch(/^[A-Z].*\.$/);
      if (type === "checkbox") expect(label).toEqual(expect.any(String));
      if (type === "textfield") {
        expect(placeholder).toEqual(expect.any(String));
        expect(description).toMatch(/Leave it empty/);
      }
    }
  });

  test("icons are PNG, 512 by 512", () => {
    for (const icon of [MANIFEST.icon, ...MANIFEST.commands.flatMap((command) => command.icon ?? [])]) {
      expect([icon, sizeOf(icon)]).toEqual([icon, [512, 512]]);
    }
  });

  test("the lock file is npm's, and names no place to load from: that is the user's to choose", () => {
    const lock = readFileSync(join(PROJECT, "package-lock.json"), "utf8");
    expect(lock).not.toContain('"resolved"');
    for (const other of ["yarn.lock", "pnpm-lock.yaml", "npm-shrinkwrap.json"]) {
      expect([relative(PROJECT, other), existsSync(join(PROJECT, other))]).toEqual([relative(PROJECT, other), false]);
    }
  });
});
