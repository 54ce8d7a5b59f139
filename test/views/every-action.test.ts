import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { PROJECT } from "../host/manifest";

const SOURCES = join(PROJECT, "src");

/** Where each test file lies. */
const TESTS = join(PROJECT, "test");

/** A title as it reads when a test runs it, with the test. */
type Tried = readonly [test: string, ...titles: readonly string[]];

/**
 * Every action of every view, as the source names it, and which test runs it. A new one is red here until a test does.
 */
const ACTIONS: Readonly<Record<string, Tried>> = {
  'agents/agent-actions.tsx: Action "Set Up"': ["views/agents/agent-list.test.tsx", "Set Up"],
  "agents/agent-actions.tsx: Action {plugin.title}": [
    "views/agents/agent-list.test.tsx",
    "Install Claude Plugin…",
    "Update Claude Plugin…",
  ],
  'agents/agent-actions.tsx: Action "Remove Claude Plugin…"': [
    "views/agents/agent-list.test.tsx",
    "Remove Claude Plugin…",
  ],
  'agents/agent-actions.tsx: Action "Remove"': ["views/agents/agent-list.test.tsx", "Remove"],
  'agents/agent-actions.tsx: Action.CopyToClipboard "Copy Next Step"': [
    "views/agents/agent-list.test.tsx",
    "Copy Next Step",
  ],
  'agents/agent-actions.tsx: Action.Open "Open Settings File"': [
    "views/agents/agent-list.test.tsx",
    "Open Settings File",
  ],
  'agents/agent-actions.tsx: Action.ShowInFinder "Show Settings File"': [
    "views/agents/agent-list.test.tsx",
    "Show Settings File",
  ],
  "agents/agent-actions.tsx: DetailAction": ["views/agents/agent-list.test.tsx", "Show Details"],
  "agents/agent-actions.tsx: OpenSettingsAction": ["views/agents/agent-list.test.tsx", "Open Settings File"],
  "agents/agent-actions.tsx: RefreshAction": ["views/agents/agent-list.test.tsx", "Refresh"],
  'agents/agent-empty-views.tsx: Action "Open Extension Preferences"': [
    "views/agents/agent-list.test.tsx",
    "Open Extension Preferences",
  ],
  "agents/agent-empty-views.tsx: RefreshAction": ["views/agents/agent-list.test.tsx", "Refresh"],
  "agents/change-view.tsx: Action {words.action}": [
    "views/agents/agent-list.test.tsx",
    "Apply",
    "Remove",
    "Install Claude Plugin",
  ],
  "agents/change-view.tsx: Action {OPEN_PREFERENCES_TITLE}": [
    "views/wrong-preferences.test.tsx",
    "Open Extension Preferences",
  ],
  'agents/change-view.tsx: Action "Back to Agents"': ["views/agents/agent-list.test.tsx", "Back to Agents"],
  'agents/change-view.tsx: Action.CopyToClipboard "Copy"': ["views/agents/agent-list.test.tsx", "Copy"],
  'agents/change-view.tsx: Action.ShowInFinder "Show Backup"': ["views/agents/agent-list.test.tsx", "Show Backup"],
  "agents/change-view.tsx: RefreshAction": ["views/agents/agent-list.test.tsx", "Refresh"],
  'control-actions.tsx: Action "Cancel Restart"': ["views/control-actions.test.tsx", "Cancel Restart"],
  'control-actions.tsx: Action "End Process"': ["views/control-actions.test.tsx", "End Process"],
  'control-actions.tsx: Action "Pause and Restart"': ["views/control-actions.test.tsx", "Pause and Restart"],
  'control-actions.tsx: Action "Pause"': ["views/control-actions.test.tsx", "Pause"],
  'control-actions.tsx: Action "Send Message…"': ["views/control-actions.test.tsx", "Send Message…"],
  'control-actions.tsx: Action "Stop"': ["views/control-actions.test.tsx", "Stop"],
  'empty-views.tsx: Action "Open Extension Preferences"': ["views/empty-views.test.tsx", "Open Extension Preferences"],
  "empty-views.tsx: Action {SET_UP_TITLE}": ["views/empty-views.test.tsx", "Set Up Agents"],
  "empty-views.tsx: RefreshAction": ["views/empty-views.test.tsx", "Refresh"],
  'events/event-actions.tsx: Action "Show Only This Session"': [
    "views/events/event-list.test.tsx",
    "Show Only This Session",
  ],
  'events/event-actions.tsx: Action "Show Session"': ["views/events/event-list.test.tsx", "Show Session"],
  'events/event-actions.tsx: Action.CopyToClipboard "Copy Event"': ["views/events/event-list.test.tsx", "Copy Event"],
  'events/event-actions.tsx: Action.CopyToClipboard "Copy Session ID"': [
    "views/events/event-list.test.tsx",
    "Copy Session ID",
  ],
  "events/event-actions.tsx: DetailAction": ["views/events/event-list.test.tsx", "Show Details", "Hide Details"],
  "events/event-actions.tsx: RefreshAction": ["views/events/event-list.test.tsx", "Refresh"],
  'events/event-empty-views.tsx: Action "Open Extension Preferences"': [
    "views/events/event-list.test.tsx",
    "Open Extension Preferences",
  ],
  "events/event-empty-views.tsx: Action {SET_UP_TITLE}": ["views/events/event-list.test.tsx", "Set Up Agents"],
  "events/event-empty-views.tsx: RefreshAction": ["views/events/event-list.test.tsx", "Refresh"],
  "menu-group.tsx: MenuBarExtra.Item {`${more} More…`}": ["views/sessions-menu.test.tsx", "3 More…"],
  "menu-group.tsx: MenuBarExtra.Item {`Mark as Read: ${row.title}`}": [
    "views/sessions-menu.test.tsx",
    "Mark as Read: One",
  ],
  "menu-group.tsx: MenuBarExtra.Item {row.title}": ["views/sessions-menu.test.tsx", "Asking"],
  'message-form.tsx: Action.SubmitForm "Send Message"': ["views/control-actions.test.tsx", "Send Message"],
  "offer-actions.tsx: Action {title}": ["views/going.test.tsx", "Open iTerm2"],
  "offer-actions.tsx: Action.CopyToClipboard {title}": [
    "views/going.test.tsx",
    "Copy Attach Command",
    "Copy Resume Command",
  ],
  "pausing/pause-list.tsx: Action {`Wake and ${verb} This Session`}": [
    "views/pausing.test.tsx",
    "Wake and Pause This Session",
  ],
  "pausing/pause-list.tsx: Action {asked.length === 1 ? `${verb} 1 Session` : `${verb} ${asked.length} Sessions`}": [
    "views/pausing.test.tsx",
    "Pause 2 Sessions",
    "Pause and Restart 2 Sessions",
  ],
  "pausing/pause-list.tsx: RefreshAction": ["views/pausing.test.tsx", "Refresh"],
  "preference-item.tsx: Action {OPEN_PREFERENCES_TITLE}": [
    "views/wrong-preferences.test.tsx",
    "Open Extension Preferences",
  ],
  "preference-item.tsx: RefreshAction": ["views/wrong-preferences.test.tsx", "Refresh"],
  "preferences-gate.tsx: Action {OPEN_PREFERENCES_TITLE}": [
    "views/wrong-preferences.test.tsx",
    "Open Extension Preferences",
  ],
  "preferences-gate.tsx: RefreshAction": ["views/wrong-preferences.test.tsx", "Refresh"],
  'problem-item.tsx: Action "Open Extension Preferences"': ["views/empty-views.test.tsx", "Open Extension Preferences"],
  'problem-item.tsx: Action.CopyToClipboard "Copy Problem"': ["views/empty-views.test.tsx", "Copy Problem"],
  'problem-item.tsx: Action.ShowInFinder "Show File"': ["views/empty-views.test.tsx", "Show File"],
  "problem-item.tsx: RefreshAction": ["views/empty-views.test.tsx", "Refresh"],
  'session-actions.tsx: Action "Go to Session"': ["views/going.test.tsx", "Go to Session"],
  'session-actions.tsx: Action "Mark All as Read"': ["views/session-actions.test.tsx", "Mark All as Read"],
  'session-actions.tsx: Action "Mark as Read"': ["views/session-actions.test.tsx", "Mark as Read"],
  'session-actions.tsx: Action "Mark as Unread"': ["views/session-actions.test.tsx", "Mark as Unread"],
  'session-actions.tsx: Action "Open Details"': ["views/session-page.test.tsx", "Open Details"],
  'session-actions.tsx: Action "Refresh"': ["views/session-actions.test.tsx", "Refresh"],
  'session-actions.tsx: Action "Resume Session"': ["views/going.test.tsx", "Resume Session"],
  'session-actions.tsx: Action "Show Events"': ["views/session-page.test.tsx", "Show Events"],
  'session-actions.tsx: Action {isShowingDetail ? "Hide Details" : "Show Details"}': [
    "views/session-actions.test.tsx",
    "Show Details",
    "Hide Details",
  ],
  'session-actions.tsx: Action.CopyToClipboard "Copy ID"': ["views/session-actions.test.tsx", "Copy ID"],
  'session-actions.tsx: Action.CopyToClipboard "Copy Message"': ["views/session-actions.test.tsx", "Copy Message"],
  'session-actions.tsx: Action.CopyToClipboard "Copy Path"': ["views/session-actions.test.tsx", "Copy Path"],
  'session-actions.tsx: Action.CopyToClipboard "Copy Resume Command"': ["views/going.test.tsx", "Copy Resume Command"],
  'session-actions.tsx: Action.Open "Open Folder"': ["views/session-actions.test.tsx", "Open Folder"],
  "session-actions.tsx: DetailAction": ["views/session-actions.test.tsx", "Show Details", "Hide Details"],
  "session-actions.tsx: RefreshAction": ["views/session-actions.test.tsx", "Refresh"],
  'sessions-menu.tsx: MenuBarExtra.Item "Configure Command"': ["views/sessions-menu.test.tsx", "Configure Command"],
  'sessions-menu.tsx: MenuBarExtra.Item "Mark All as Read"': ["views/sessions-menu.test.tsx", "Mark All as Read"],
  'sessions-menu.tsx: MenuBarExtra.Item "Refresh"': ["views/sessions-menu.test.tsx", "Refresh"],
  'sessions-menu.tsx: MenuBarExtra.Item "Search Sessions"': ["views/sessions-menu.test.tsx", "Search Sessions"],
  'sessions-menu.tsx: MenuBarExtra.Item "Sessions Cannot Be Read"': [
    "views/sessions-menu.test.tsx",
    "Sessions Cannot Be Read",
  ],
  'sessions-menu.tsx: MenuBarExtra.Item {data.displayState === "paused" ? "Resume Monitoring" : "Pause Monitoring"}': [
    "views/sessions-menu.test.tsx",
    "Pause Monitoring",
    "Resume Monitoring",
  ],
  'sessions-menu.tsx: MenuBarExtra.Item {data.problems.count === 1 ? "1 Problem" : `${data.problems.count} Problems`}':
    ["views/sessions-menu.test.tsx", "1 Problem", "2 Problems"],
  "sessions-menu.tsx: MenuBarExtra.Item {`${title} Cannot Be Used`}": [
    "views/wrong-preferences.test.tsx",
    "X Cannot Be Used",
  ],
  "set-up-item.tsx: Action {SET_UP_TITLE}": ["views/set-up-item.test.tsx", "Set Up Agents"],
  "set-up-item.tsx: RefreshAction": ["views/set-up-item.test.tsx", "Refresh"],
};

/** Every view that stands in place of rows, and every row that says what is wrong, with the test that sees it. */
const VIEWS: Readonly<Record<string, Tried>> = {
  'agents/agent-empty-views.tsx: List.EmptyView "Agents Cannot Be Read"': [
    "views/agents/agent-list.test.tsx",
    "Agents Cannot Be Read",
  ],
  'agents/agent-empty-views.tsx: List.EmptyView "No Matching Agents"': [
    "views/agents/agent-list.test.tsx",
    "No Matching Agents",
  ],
  'empty-views.tsx: List.EmptyView "No Matching Sessions"': ["views/empty-views.test.tsx", "No Matching Sessions"],
  'empty-views.tsx: List.EmptyView "Sessions Cannot Be Read"': [
    "views/empty-views.test.tsx",
    "Sessions Cannot Be Read",
  ],
  'empty-views.tsx: List.EmptyView {reports ? "No Sessions" : "No Agent Reports Here"}': [
    "views/empty-views.test.tsx",
    "No Sessions",
    "No Agent Reports Here",
  ],
  'events/event-empty-views.tsx: List.EmptyView "Events Cannot Be Read"': [
    "views/events/event-list.test.tsx",
    "Events Cannot Be Read",
  ],
  'events/event-empty-views.tsx: List.EmptyView "No Events"': ["views/events/event-list.test.tsx", "No Events"],
  'events/event-empty-views.tsx: List.EmptyView "No Matching Events"': [
    "views/events/event-list.test.tsx",
    "No Matching Events",
  ],
  'failure-item.tsx: List.Item "Sessions Cannot Be Read"': ["views/first-rows.test.tsx", "Sessions Cannot Be Read"],
  'pausing/pause-list.tsx: List.EmptyView {rows.length === 0 ? "No Open Session" : "No Matching Sessions"}': [
    "views/pausing.test.tsx",
    "No Open Session",
    "No Matching Sessions",
  ],
  "preference-item.tsx: List.Item {title}": ["views/wrong-preferences.test.tsx", "Command Path"],
  'preferences-gate.tsx: List.EmptyView {`${first?.title ?? ""} Cannot Be Used`}': [
    "views/wrong-preferences.test.tsx",
    "Status Directories Cannot Be Used",
  ],
  "problem-item.tsx: List.Item {printable(basename(file))}": ["views/empty-views.test.tsx", "cut.json"],
  'set-up-item.tsx: List.Item "Set Up Agents to See More"': ["views/set-up-item.test.tsx", "Set Up Agents to See More"],
};

const views = join(SOURCES, "views");

function parse(path: string): ts.SourceFile {
  const kind = path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  return ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.ES2023, true, kind);
}

function* nodes(node: ts.Node): Iterable<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodes(child);
}

/** The elements of the views with a tag, each as its file, its tag and its title's expression. */
function elements(isMeant: (tag: string, properties: readonly string[]) => boolean): string[] {
  const found = readdirSync(views, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".tsx"))
    .flatMap((path) =>
      Array.from(nodes(parse(join(views, path)))).flatMap((node) => {
        if (!ts.isJsxSelfClosingElement(node) && !ts.isJsxOpeningElement(node)) return [];
        const properties = node.attributes.properties.filter((each) => ts.isJsxAttribute(each));
        const tag = node.tagName.getText();
        if (
          !isMeant(
            tag,
            properties.map(({ name }) => name.getText()),
          )
        )
          return [];
        const title = properties.find(({ name }) => name.getText() === "title")?.initializer?.getText();
        return [`${path.replaceAll("\\", "/")}: ${tag}${title === undefined ? "" : ` ${title}`}`];
      }),
    );
  return Array.from(new Set(found)).sort();
}

/** The texts with which a test names what it looks at or runs; what a template fills in is X. */
function textsIn(test: string, within: (node: ts.Node) => boolean): Set<string> {
  const texts = new Set<string>();
  const visit = (node: ts.Node, isWithin: boolean): void => {
    const counts = isWithin || within(node);
    if (counts && ts.isStringLiteralLike(node)) texts.add(node.text);
    if (counts && ts.isTemplateExpression(node)) {
      texts.add(node.head.text + node.templateSpans.map(({ literal }) => `X${literal.text}`).join(""));
    }
    node.forEachChild((child) => visit(child, counts));
  };
  visit(parse(join(TESTS, test)), false);
  return texts;
}

/** What gets hold of an action, or runs it. */
const RUNNERS = new Set(["action", "item", "push", "copied", "run"]);

function isRun(node: ts.Node): boolean {
  return ts.isCallExpression(node) && RUNNERS.has(node.expression.getText().split(".").at(-1) ?? "");
}

function missing(table: Readonly<Record<string, Tried>>, within: (node: ts.Node) => boolean): string[] {
  return Object.entries(table).flatMap(([name, [test, ...titles]]) => {
    if (!existsSync(join(TESTS, test))) return [`${name}: ${test} is missing`];
    const texts = textsIn(test, within);
    return titles.filter((title) => !texts.has(title)).map((title) => `${name}: ${title} is not in ${test}`);
  });
}

test("every action of the views is in the table, and nothing else", () => {
  const isAction = (tag: string, properties: readonly string[]) =>
    /^Action(\.\w+)?$/.test(tag) ||
    /^[A-Z]\w+Action$/.test(tag) ||
    (/Item$/.test(tag) && properties.includes("onAction"));
  expect(elements(isAction)).toEqual(Object.keys(ACTIONS).sort());
});

test("every action is run by the test that the table names", () => {
  expect(missing(ACTIONS, isRun)).toEqual([]);
});

test("every empty view, and every row that is not a session, an agent or an event, is in the table", () => {
  const rows = new Set([
    "agents/agent-item.tsx",
    "events/event-item.tsx",
    "session-item.tsx",
    "pausing/pause-list.tsx",
  ]);
  const found = elements((tag) => tag === "List.EmptyView" || tag === "List.Item").filter(
    (name) => !name.includes(": List.Item") || !rows.has(name.split(":")[0] ?? ""),
  );
  expect(found).toEqual(Object.keys(VIEWS).sort());
});

test("every such view is seen by the test that the table names", () => {
  expect(missing(VIEWS, () => true)).toEqual([]);
});
