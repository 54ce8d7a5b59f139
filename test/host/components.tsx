// The launcher's components: each becomes a node of its own name in the tree.
import { createElement, useEffect, useRef, type FunctionComponent, type ReactNode } from "react";
import type { Node } from "./renderer";
import { host$ } from "./state";
import { Clipboard, open } from "./system";
import { all } from "./tree";

type Props = Record<string, unknown> & { children?: ReactNode };

/** A component whose element-valued props become child slots, so that a test sees them in the tree. */
function component(type: string, slots: readonly string[] = []): FunctionComponent<Props> {
  const Component = ({ children, ...props }: Props) => {
    const plain: Props = { ...props };
    const slotted: ReactNode[] = [];
    for (const slot of slots) {
      const content = plain[slot];
      delete plain[slot];
      if (content === undefined || content === null) continue;
      slotted.push(createElement("slot", { key: slot, name: slot }, content as ReactNode));
    }
    return createElement(type, plain, ...slotted, children);
  };
  Component.displayName = type;
  return Component;
}

/** A convenience action: running it calls `effect`, then the extension's own callback. */
function action(type: string, effect: (props: Props) => unknown, callback?: string): FunctionComponent<Props> {
  const Component = (props: Props) =>
    createElement(type, {
      ...props,
      onAction: async () => {
        await effect(props);
        const told = callback === undefined ? undefined : props[callback];
        if (typeof told === "function") await told(props.content ?? props.url ?? props.target ?? props.path);
      },
    });
  Component.displayName = type;
  return Component;
}

/**
 * The dropdown beside the search bar. As in the launcher, `onChange` is called once it shows, with the stored value or
 * the default, and again with the first one when the chosen item is gone.
 */
function Dropdown({ children, ...props }: Props) {
  const node = useRef<Node>(undefined);
  const chosen = useRef<string>(undefined);
  useEffect(() => {
    if (node.current === undefined) return;
    const values = all(node.current, "List.Dropdown.Item").map((item) => String(item.props.value));
    const stored = props.storeValue === true ? host$.dropdowns.get(String(props.tooltip)) : undefined;
    const wanted = [chosen.current, stored, props.value, props.defaultValue, values[0]].find(
      (value) => typeof value === "string" && values.includes(value),
    );
    if (typeof wanted !== "string" || wanted === chosen.current) return;
    chosen.current = wanted;
    if (typeof props.onChange === "function") props.onChange(wanted);
  });
  const onChange = (value: string) => {
    chosen.current = value;
    if (props.storeValue === true) host$.dropdowns.set(String(props.tooltip), value);
    if (typeof props.onChange === "function") props.onChange(value);
  };
  return createElement("List.Dropdown", { ...props, onChange, ref: node }, children);
}

const Metadata = Object.assign(component("Metadata"), {
  Label: component("Metadata.Label"),
  Link: component("Metadata.Link"),
  Separator: component("Metadata.Separator"),
  TagList: Object.assign(component("Metadata.TagList"), { Item: component("Metadata.TagList.Item") }),
});

export const List = Object.assign(component("List", ["searchBarAccessory", "actions"]), {
  Item: Object.assign(component("List.Item", ["actions", "detail"]), {
    Detail: Object.assign(component("List.Item.Detail", ["metadata"]), { Metadata }),
  }),
  Section: component("List.Section"),
  EmptyView: component("List.EmptyView", ["actions"]),
  Dropdown: Object.assign(Dropdown, {
    Item: component("List.Dropdown.Item"),
    Section: component("List.Dropdown.Section"),
  }),
});

export const Detail = Object.assign(component("Detail", ["actions", "metadata"]), { Metadata });

export const MenuBarExtra = Object.assign(component("MenuBarExtra"), {
  Item: component("MenuBarExtra.Item", ["alternate"]),
  Section: component("MenuBarExtra.Section"),
  Submenu: component("MenuBarExtra.Submenu"),
  Separator: component("MenuBarExtra.Separator"),
});

export const Form = Object.assign(component("Form", ["actions"]), {
  Description: component("Form.Description"),
  TextArea: component("Form.TextArea"),
});

export const ActionPanel = Object.assign(component("ActionPanel"), {
  Section: component("ActionPanel.Section"),
  Submenu: component("ActionPanel.Submenu"),
});

/** Submits a form: running it gives `onSubmit` the values, as the fields hold them. */
function SubmitForm(props: Props) {
  const onAction = async (values: Record<string, unknown> = {}) => {
    if (typeof props.onSubmit === "function") await props.onSubmit(values);
  };
  return createElement("Action.SubmitForm", { ...props, onAction });
}

export const Action = Object.assign(component("Action"), {
  Style: { Regular: "regular", Destructive: "destructive" },
  CopyToClipboard: action("Action.CopyToClipboard", ({ content }) => Clipboard.copy(content), "onCopy"),
  Paste: action("Action.Paste", ({ content }) => Clipboard.paste(content), "onPaste"),
  Open: action("Action.Open", ({ target }) => open(String(target)), "onOpen"),
  OpenInBrowser: action("Action.OpenInBrowser", ({ url }) => open(String(url)), "onOpen"),
  OpenWith: action("Action.OpenWith", ({ path }) => open(String(path)), "onOpen"),
  ShowInFinder: action("Action.ShowInFinder", ({ path }) => open(String(path)), "onShow"),
  SubmitForm,
  Push: action("Action.Push", ({ target }) => void host$.pushed.push(target as ReactNode), "onPush"),
});
