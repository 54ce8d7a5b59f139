// A rendered tree as a page that looks like a launcher's window: a drawing of ours, not a capture.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST, PROJECT } from "../../host/manifest";
import { all, titleOf, type Node } from "../../host";
import { iconShape } from "./icon-shapes";

/** Colors by the launcher's names, in the dark theme. */
const COLORS: Readonly<Record<string, string>> = {
  "raycast-red": "#ff6363",
  "raycast-orange": "#ff9f43",
  "raycast-yellow": "#ffc531",
  "raycast-green": "#59d499",
  "raycast-blue": "#56c2ff",
  "raycast-purple": "#cf8bff",
  "raycast-magenta": "#ff73c6",
  "raycast-primary-text": "#f4f4f6",
  "raycast-secondary-text": "#9c9ca6",
};

const STYLE = readFileSync(join(PROJECT, "test", "hosts", "pictures", "page.css"), "utf8");

const EXTENSION_ICON = dataAddress("icon.png");

/** The window of a list with its first row selected, or another one. */
export function windowPage(list: Node, { selected = 0, panel }: { selected?: number; panel?: Node } = {}): string {
  const items = all(list, "List.Item");
  const chosen = items[selected];
  const dropdown = all(list, "List.Dropdown.Item")[0];
  const isShowingDetail = list.props.isShowingDetail === true;
  const sections = list.children
    .filter(({ type }) => type === "List.Section")
    .map((section) => {
      const rows = section.children.map((item) => row(item, item === chosen)).join("");
      return `<h2>${text(section.props.title)}<span>${text(section.props.subtitle)}</span></h2>${rows}`;
    })
    .join("");
  const detail = isShowingDetail && chosen !== undefined ? detailPane(chosen) : "";
  const first = chosen === undefined ? undefined : actionsOf(chosen)[0];
  return page(`<main class="window">
<header><span class="search">${text(list.props.searchBarPlaceholder)}</span>${
    dropdown === undefined ? "" : `<span class="dropdown">${text(dropdown.props.title)}<i>⌄</i></span>`
  }</header>
<div class="body${isShowingDetail ? " split" : ""}"><div class="rows">${sections}</div>${detail}</div>
<footer><img src="${EXTENSION_ICON}" alt="">${text(MANIFEST.title)}<span class="hint">${
    first === undefined ? "" : `${text(titleOf(first))} <kbd>↵</kbd><u></u>`
  }Actions <kbd>⌘</kbd><kbd>K</kbd></span></footer>
${panel === undefined ? "" : actionPanel(panel)}
</main>`);
}

/** The menu bar with its menu open. */
export function menuPage(menu: Node): string {
  const { icon, title } = menu.props;
  const item = (node: Node): string => {
    const { subtitle, shortcut } = node.props;
    const keys = shortcutText(shortcut);
    const arrow = node.type === "MenuBarExtra.Submenu" ? "<em>›</em>" : keys === "" ? "" : `<em>${keys}</em>`;
    const said = `${text(titleOf(node))}<span>${text(subtitle)}</span>`;
    return `<div class="item">${image(node.props.icon)}<b>${said}</b>${arrow}</div>`;
  };
  const groups = menu.children
    .map((child) => {
      if (child.type !== "MenuBarExtra.Section") return item(child);
      const heading = child.props.title === undefined ? "" : `<h2>${text(child.props.title)}</h2>`;
      const own = child.children.filter(({ type }) => type.startsWith("MenuBarExtra."));
      return `<hr>${heading}${own.map(item).join("")}`;
    })
    .join("")
    .replace(/^<hr>/, "");
  return page(
    `<nav><span class="extra">${image(icon)}${text(title)}</span><span>Mon 9:41 AM</span></nav><menu>${groups}</menu>`,
  );
}

function row(item: Node, isSelected: boolean): string {
  const { icon, subtitle, accessories } = item.props;
  const right = Array.isArray(accessories) ? accessories.map(accessory).join("") : "";
  return `<div class="row${isSelected ? " selected" : ""}">${image(icon)}<b>${text(titleOf(item))}</b><span class="subtitle">${text(subtitle)}</span><span class="right">${right}</span></div>`;
}

function accessory(given: unknown): string {
  if (typeof given !== "object" || given === null) return "";
  const tag = "tag" in given ? given.tag : undefined;
  const picture = "icon" in given ? image(given.icon) : "";
  if (typeof tag === "object" && tag !== null && "value" in tag) {
    const color = "color" in tag ? colorOf(tag.color) : "inherit";
    return `<span class="tag" style="color:${color}">${picture}${text(tag.value)}</span>`;
  }
  return `<span class="accessory">${picture}${text("text" in given ? given.text : "")}</span>`;
}

function detailPane(item: Node): string {
  const [detail] = all(item, "List.Item.Detail");
  const [metadata] = all(item, "Metadata");
  const facts = (metadata?.children ?? []).map((node) => {
    if (node.type === "Metadata.Separator") return "<hr>";
    const tags = all(node, "Metadata.TagList.Item").map(
      ({ props }) => `<span class="tag" style="color:${colorOf(props.color)}">${text(props.text)}</span>`,
    );
    return `<dt>${text(node.props.title)}</dt><dd>${tags.length > 0 ? tags.join(" ") : text(node.props.text)}</dd>`;
  });
  // Two separators that meet are drawn as one.
  const shown = facts.filter((fact, index) => fact !== "<hr>" || (index > 0 && facts[index - 1] !== "<hr>"));
  return `<div class="detail"><article>${markdown(detail?.props.markdown)}</article><dl>${shown.join("")}</dl></div>`;
}

/** The little of Markdown that the detail pane uses: paragraphs, bold ones, and fenced blocks. */
function markdown(source: unknown): string {
  const blocks = String(source ?? "").split(/^(`{3,})[^\n]*\n([^]*?)\n\1$/m);
  return blocks
    .map((block, index) => {
      if (index % 3 === 1) return "";
      if (index % 3 === 2) return `<pre>${text(block)}</pre>`;
      return block
        .split(/\n{2,}/)
        .filter((paragraph) => paragraph.trim() !== "")
        .map((paragraph) => `<p>${text(paragraph.trim()).replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>")}</p>`)
        .join("");
    })
    .join("");
}

function actionPanel(item: Node): string {
  const [panel] = all(item, "ActionPanel");
  const sections = (panel?.children ?? []).map((section) => {
    const actions = actionsOf(section);
    if (actions.length === 0) return "";
    const heading = section.props.title === undefined ? "" : `<h2>${text(section.props.title)}</h2>`;
    return `<section>${heading}${actions
      .map(
        (each) =>
          `<div class="action${each.props.style === "destructive" ? " destructive" : ""}">${image(each.props.icon)}<b>${text(titleOf(each))}</b><span>${shortcutText(each.props.shortcut, true)}</span></div>`,
      )
      .join("")}</section>`;
  });
  return `<aside><h1>${text(titleOf(item))}</h1><div class="panel">${sections.join("")}</div><footer>Search for actions…</footer></aside>`;
}

function actionsOf(node: Node): Node[] {
  const isAction = node.type === "Action" || node.type.startsWith("Action.");
  return [...(isAction ? [node] : []), ...node.children.flatMap(actionsOf)];
}

const KEYS: Readonly<Record<string, string>> = { cmd: "⌘", shift: "⇧", opt: "⌥", alt: "⌥", ctrl: "⌃", enter: "↵" };

/** A shortcut as macOS writes it. */
function shortcutText(shortcut: unknown, asKeys = false): string {
  if (typeof shortcut !== "object" || shortcut === null) return "";
  const own = "macOS" in shortcut ? shortcut.macOS : shortcut;
  if (typeof own !== "object" || own === null || !("modifiers" in own) || !("key" in own)) return "";
  const modifiers = Array.isArray(own.modifiers) ? own.modifiers.map(String) : [];
  const keys = [...modifiers, String(own.key)].map((key) => KEYS[key] ?? key.toUpperCase());
  return keys.map((key) => (asKeys ? `<kbd>${text(key)}</kbd>` : text(key))).join("");
}

/** An image of the extension, or of the launcher, in its tint. */
function image(given: unknown): string {
  if (typeof given === "string") return drawing(given, "currentColor");
  if (typeof given !== "object" || given === null) return "";
  if ("value" in given) return image(given.value);
  if (!("source" in given)) return "";
  return drawing(String(given.source), "tintColor" in given ? colorOf(given.tintColor) : "currentColor");
}

function drawing(source: string, color: string): string {
  if (!/\.png$/.test(source)) return `<span class="icon" style="color:${color}">${iconShape(source)}</span>`;
  const mask = `url(${dataAddress(source)}) center / contain no-repeat`;
  return `<span class="icon" style="background:${color};mask:${mask}"></span>`;
}

function colorOf(color: unknown): string {
  return COLORS[String(color)] ?? "inherit";
}

function dataAddress(asset: string): string {
  return `data:image/png;base64,${readFileSync(join(PROJECT, "assets", asset)).toString("base64")}`;
}

function text(value: unknown): string {
  return String(value ?? "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll('"', "&quot;");
}

function page(body: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>${text(MANIFEST.title)}</title><style>${STYLE}</style><body>${body}</body></html>`;
}
