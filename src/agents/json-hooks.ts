import { isDeepStrictEqual } from "node:util";
import { applyEdits, faultAt, inverseOf, type TextEdit } from "../files/settings-edit";
import {
  additionEdits,
  doubledKey,
  elementsOf,
  membersOf,
  nodeAt,
  readJsonSettings,
  removalEdits,
  rootEdits,
  valueOf,
  type Addition,
  type JsonNode,
  type JsonSettings,
  type JsonValue,
} from "../files/settings-json";
import { valuesOf } from "./fields";
import { isOurCommand, type Recorder } from "./recorder-command";
import type { KeyPath, Refusal, RemovedText, SettingsTarget, SetUpText } from "./settings-target";

/** Hooks in a JSON file: `hooks`, an object of events, each with a list. */
export interface JsonHooks {
  agent: string;
  path: string;
  events: readonly string[];
  /** `grouped`: a list's elements are `{matcher, hooks: [handler…]}`, as Claude Code's; `flat`: they are handlers. */
  shape: "grouped" | "flat";
  /** One element of an event's list. */
  element(event: string, recorder: Recorder): { [key: string]: JsonValue };
  /** Whether a handler does what the element of an event does, however it is written. */
  command(event: string, recorder: Recorder): string;
  /** Where a handler has its command. */
  commandKey?: string;
  /** A key that the file has to have besides. */
  beside?: { key: string; value: JsonValue };
  obstacle?(values: Readonly<Record<string, unknown>>): string | undefined;
}

/** A JSON settings file with hooks, to be set up. */
export function jsonHooksTarget(hooks: JsonHooks): SettingsTarget {
  const { path, obstacle } = hooks;
  return {
    path,
    adds: `${hooks.events.length} hooks`,
    setUp: (text, recorder, created) => setUp(hooks, text, recorder, created),
    remove: (text, created) => remove(hooks, text, created),
    holdsOurs: (text) => {
      const read = readJsonSettings(text);
      return read.outcome === "settings" && oursIn(hooks, read.settings).length > 0;
    },
    ...(obstacle === undefined ? {} : { obstacle: (text: string) => jsonObstacle(text, obstacle) }),
  };
}

/** What a JSON file says against hooks; nothing when it cannot be read. */
export function jsonObstacle(
  text: string,
  obstacle: (values: Readonly<Record<string, unknown>>) => string | undefined,
): string | undefined {
  const read = readJsonSettings(text);
  return read.outcome === "settings" ? obstacle(valuesOf(valueOf(read.settings.root))) : undefined;
}

function setUp(
  hooks: JsonHooks,
  before: string | undefined,
  recorder: Recorder,
  known?: readonly KeyPath[],
): SetUpText {
  const whole = before ?? "";
  const first = understood(hooks, whole);
  if (first.outcome === "refused") return first;

  // What is in place stays where it is, with whatever the user changed in it.
  const kept = new Set<string>();
  const outdated = oursIn(hooks, first.settings).filter(({ event, command }) => {
    const stays = hooks.events.includes(event) && !kept.has(event) && command === hooks.command(event, recorder);
    if (stays) kept.add(event);
    return !stays;
  });
  const missing = hooks.events.filter((event) => !kept.has(event));
  if (outdated.length === 0 && missing.length === 0) return { outcome: "already" };

  const base = applyEdits(whole, removalOf(hooks, first.settings, outdated, known));
  const second = understood(hooks, base);
  if (second.outcome === "refused") return second;
  const { edits, created } = additions(hooks, second.settings, missing, recorder);
  const text = applyEdits(base, edits);
  const fault = checked(hooks, whole, text, hooks.events.length);
  if (fault !== undefined) return fault;
  return {
    outcome: "change",
    text,
    created: before === undefined ? [[], ...created] : created,
    ...(kept.size === 0 ? { undo: inverseOf(base, edits) } : {}),
  };
}

function remove(hooks: JsonHooks, before: string, created: readonly KeyPath[] | undefined): RemovedText {
  const read = understood(hooks, before);
  if (read.outcome === "refused") return read;
  const { settings } = read;
  const ours = oursIn(hooks, settings);
  if (ours.length === 0) return { outcome: "absent" };
  const text = applyEdits(before, removalOf(hooks, settings, ours, created));
  const fault = checked(hooks, before, text, 0);
  if (fault !== undefined) return fault;
  const isOurFile = created?.some((path) => path.length === 0) === true;
  return { outcome: "change", text: isOurFile && /^\uFEFF?\s*\{\}\s*$/.test(text) ? undefined : text };
}

/** Adds an element to every list named, making the lists that are not there. */
function additions(
  hooks: JsonHooks,
  settings: JsonSettings,
  events: readonly string[],
  recorder: Recorder,
): { edits: TextEdit[]; created: KeyPath[] } {
  const { beside } = hooks;
  const { root } = settings;
  const list = (event: string) => [hooks.element(event, recorder)];
  const all = (): JsonValue => Object.fromEntries(events.map((event) => [event, list(event)]));
  const paths = (): KeyPath[] => [["hooks"], ...events.map((event) => ["hooks", event])];
  if (root === undefined) {
    const value: JsonValue = { ...(beside === undefined ? {} : { [beside.key]: beside.value }), hooks: all() };
    return {
      edits: rootEdits(settings, value),
      created: [...(beside === undefined ? [] : [[beside.key]]), ...paths()],
    };
  }
  const container = nodeAt(settings, ["hooks"]);
  const top: Addition[] = [];
  const created: KeyPath[] = [];
  if (beside !== undefined && nodeAt(settings, [beside.key]) === undefined) {
    top.push(beside);
    created.push([beside.key]);
  }
  if (container === undefined) {
    return {
      edits: additionEdits(settings, root, [...top, { key: "hooks", value: all() }]),
      created: [...created, ...paths()],
    };
  }
  const present = new Map(membersOf(container).map(({ key, value }) => [key, value]));
  const lists = events.filter((event) => !present.has(event));
  const edits = events.flatMap((event) => {
    const array = present.get(event);
    return array === undefined ? [] : additionEdits(settings, array, [{ value: hooks.element(event, recorder) }]);
  });
  return {
    edits: [
      ...edits,
      ...additionEdits(
        settings,
        container,
        lists.map((event) => ({ key: event, value: list(event) })),
      ),
      ...additionEdits(settings, root, top),
    ],
    created: [...created, ...lists.map((event) => ["hooks", event])],
  };
}

/** A handler of ours in a file. */
interface Ours {
  event: string;
  command: string;
  /** Its property in `hooks`, its element in that list, and the handler in that, which is the same where there are no groups. */
  list: JsonNode;
  property: JsonNode;
  element: JsonNode;
  handler: JsonNode;
}

function oursIn({ agent, shape, commandKey = "command" }: JsonHooks, settings: JsonSettings): Ours[] {
  const container = nodeAt(settings, ["hooks"]);
  if (container === undefined) return [];
  return membersOf(container).flatMap(({ key: event, value: list, property }) =>
    elementsOf(list).flatMap((element) => {
      const handlers = shape === "flat" ? [element] : elementsOf(memberOf(element, "hooks") ?? element);
      return handlers.flatMap((handler) => {
        const command = valueOf(memberOf(handler, commandKey));
        if (typeof command !== "string" || !isOurCommand(command, agent)) return [];
        return [{ event, command, list, property, element, handler }];
      });
    }),
  );
}

function memberOf(node: JsonNode, key: string): JsonNode | undefined {
  return membersOf(node).find((member) => member.key === key)?.value;
}

/** The edits that take handlers away, and with them the containers that are empty then and that we made. */
function removalOf(
  hooks: JsonHooks,
  settings: JsonSettings,
  ours: readonly Ours[],
  created: readonly KeyPath[] | undefined,
): TextEdit[] {
  const { text } = settings;
  const isMade = (...path: string[]) => created === undefined || created.some((each) => isDeepStrictEqual(each, path));
  const gone = new Set<JsonNode>();
  const allGone = (container: JsonNode) =>
    (container.children ?? []).every((child) => gone.has(child)) && !hasComment(text, container);
  for (const { handler, element } of ours) {
    gone.add(handler);
    const { parent } = handler;
    if (handler !== element && parent !== undefined && allGone(parent)) gone.add(element);
  }
  for (const { event, list, property } of ours) if (allGone(list) && isMade("hooks", event)) gone.add(property);
  const container = nodeAt(settings, ["hooks"]);
  if (container?.parent !== undefined && ours.length > 0 && allGone(container)) {
    if (isMade("hooks")) gone.add(container.parent);
    const { beside } = hooks;
    const besides = beside === undefined ? undefined : nodeAt(settings, [beside.key]);
    // Without a memory of it, it may have been the user's; and hooks that are left need it.
    if (beside !== undefined && created !== undefined && isMade(beside.key) && valueOf(besides) === beside.value) {
      if (besides?.parent !== undefined) gone.add(besides.parent);
    }
  }
  return removalEdits(
    text,
    Array.from(gone).filter((node) => !isInside(node, gone)),
  );
}

function isInside(node: JsonNode, nodes: ReadonlySet<JsonNode>): boolean {
  for (let above = node.parent; above !== undefined; above = above.parent) if (nodes.has(above)) return true;
  return false;
}

/** Whether a comment stands between the members of a container: it is somebody's, so the container stays for it. */
function hasComment(text: string, container: JsonNode): boolean {
  let from = container.offset + 1;
  const gaps = (container.children ?? []).map((child) => {
    const gap = text.slice(from, child.offset);
    from = child.offset + child.length;
    return gap;
  });
  return [...gaps, text.slice(from, container.offset + container.length - 1)].some((gap) => gap.includes("/"));
}

/** Reads a file and makes sure that what we would change has the shape the agent's documentation gives it. */
function understood({ events }: JsonHooks, text: string): { outcome: "settings"; settings: JsonSettings } | Refusal {
  const read = readJsonSettings(text);
  if (read.outcome === "broken") return { outcome: "refused", reason: read.fault.reason, fault: read.fault };
  const { settings } = read;
  const refused = (node: JsonNode, reason: string): Refusal => {
    return { outcome: "refused", reason, fault: faultAt(text, node.offset, reason) };
  };
  if (settings.root === undefined) return read;
  const doubled = doubledKey(settings.root);
  if (doubled !== undefined) return refused(doubled, "the same key stands here twice");
  const container = nodeAt(settings, ["hooks"]);
  if (container === undefined) return read;
  if (container.type !== "object") return refused(container, `"hooks" is no object`);
  const twice = doubledKey(container);
  if (twice !== undefined) return refused(twice, "the same event stands here twice");
  for (const { key, value } of membersOf(container)) {
    if (events.includes(key) && value.type !== "array") return refused(value, `the hooks of ${key} are no list`);
  }
  return read;
}

/** The last look at a text before anybody writes it: ours are there as often as they should, and all else is the same. */
function checked(hooks: JsonHooks, before: string, after: string, expected: number): Refusal | undefined {
  const one = readJsonSettings(before);
  const other = readJsonSettings(after);
  if (
    one.outcome === "settings" &&
    other.outcome === "settings" &&
    oursIn(hooks, other.settings).length === expected &&
    isDeepStrictEqual(withoutOurs(hooks, one.settings), withoutOurs(hooks, other.settings))
  ) {
    return undefined;
  }
  return { outcome: "refused", reason: "cannot be edited without changing something else in it" };
}

/** All that a file says but for our hooks, and for containers that hold nothing. */
function withoutOurs(hooks: JsonHooks, { root }: JsonSettings): unknown {
  const { agent, shape, commandKey = "command", beside } = hooks;
  const isOurs = (handler: unknown) => isOurCommand(valuesOf(handler)[commandKey], agent);
  const values: Record<string, unknown> = { ...valuesOf(valueOf(root)) };
  const events = Object.entries(valuesOf(values.hooks)).map(([event, list]): [string, unknown] => {
    if (!Array.isArray(list)) return [event, list];
    const elements: unknown[] = list;
    const left = elements.flatMap((element) => {
      if (shape === "flat") return isOurs(element) ? [] : [element];
      const { hooks: handlers, ...group } = valuesOf(element);
      if (!Array.isArray(handlers) || !handlers.some(isOurs)) return [element];
      const others = handlers.filter((handler) => !isOurs(handler));
      return others.length === 0 ? [] : [{ ...group, hooks: others }];
    });
    return [event, left];
  });
  values.hooks = Object.fromEntries(events.filter(([, list]) => !Array.isArray(list) || list.length > 0));
  if (beside !== undefined && isDeepStrictEqual(values[beside.key], beside.value)) delete values[beside.key];
  return values;
}
