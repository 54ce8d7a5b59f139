import {
  Action,
  ActionPanel,
  Color,
  confirmAlert,
  Form,
  Icon,
  Keyboard,
  List,
  MenuBarExtra,
  showToast,
  useNavigation,
} from "@raycast/api";
import { useState, type ReactElement } from "react";
import * as hostApi from "./raycast-api";
import { TYPES } from "./names";
import { environment, eventually, host, LaunchType, one, render, run } from "./index";
import { isTitleCase } from "./title-case";

const icon = Icon.Circle;

function list(children: ReactElement, props: Partial<List.Props> = {}) {
  return (
    <List searchBarPlaceholder="Search" {...props}>
      {children}
    </List>
  );
}

function panel(children: ReactElement) {
  return list(<List.Item title="one" actions={<ActionPanel>{children}</ActionPanel>} />);
}

function keys(modifiers: Keyboard.KeyModifier[], key: Keyboard.KeyEquivalent) {
  return { macOS: { modifiers, key }, Windows: { modifiers, key } };
}

describe("refuses what the launcher would", () => {
  test.each<[string, ReactElement, string]>([
    ["a lone surrogate", list(<List.Item title={"cut \ud83d"} />), "title is not well-formed"],
    [
      "one deep in a property",
      list(<List.Item title="one" accessories={[{ text: "\udc00", tooltip: "x" }]} />),
      "accessories.0.text is not well-formed",
    ],
    ["one in what is copied", panel(<Action.CopyToClipboard title="Copy" icon={icon} content={"\ud83d"} />), "content"],
    ["a control character", list(<List.Item title={"a\u001bb"} />), "title holds a control character"],
    ["a direction mark", list(<List.Item title="a" subtitle={"\u202e"} />), "subtitle holds a control character"],
    ["a line break in a row", list(<List.Item title={"a\nb"} />), "title has a line break"],
    ["a subtitle that is null", list(<List.Item title="a" subtitle={null as never} />), "subtitle is null"],
    [
      "two rows with one id",
      list(
        <>
          <List.Item id="a" title="a" />
          <List.Item id="a" title="b" />
        </>,
      ),
      "two identical ids: a",
    ],
    [
      "an accessory without a tooltip",
      list(<List.Item title="a" accessories={[{ text: "b" }]} />),
      "accessory 0 has no tooltip",
    ],
    [
      "accessories beside a detail pane",
      list(<List.Item title="a" accessories={[{ text: "b", tooltip: "c" }]} />, { isShowingDetail: true }),
      "has accessories beside a detail pane",
    ],
    ["an empty view while loading", list(<List.EmptyView title="Nothing" />, { isLoading: true }), "flickers"],
    ["a search bar without a placeholder", <List key="1" />, "has no placeholder"],
    ["a changed title of the root", list(<List.Item title="a" />, { navigationTitle: "Mine" }), "navigation title"],
    ["a title in lower case", list(<List.EmptyView title="Nothing here" />), "not in Title Case"],
    // eslint-disable-next-line @raycast/prefer-title-case
    ["an action in lower case", panel(<Action title="Do this" icon={icon} />), "not in Title Case"],
    ["an action without an icon", panel(<Action title="Do" />), "has no icon"],
    [
      "two actions of one title",
      panel(
        <>
          <Action title="Do" icon={icon} />
          <Action title="Do" icon={icon} />
        </>,
      ),
      "two identical actions",
    ],
    [
      "two actions on one shortcut",
      panel(
        <>
          <Action title="Do" icon={icon} shortcut={Keyboard.Shortcut.Common.Copy} />
          <Action title="Go" icon={icon} shortcut={Keyboard.Shortcut.Common.Copy} />
        </>,
      ),
      "two identical shortcuts",
    ],
    [
      "a reserved shortcut",
      panel(<Action title="Do" icon={icon} shortcut={keys(["cmd"], "k")} />),
      "cmd+k is reserved",
    ],
    [
      "a reserved one of Windows",
      panel(<Action title="Do" icon={icon} shortcut={keys(["ctrl"], "p")} />),
      "ctrl+p is reserved",
    ],
    [
      "a reserved one in any order",
      panel(<Action title="Do" icon={icon} shortcut={keys(["shift", "cmd"], "/")} />),
      "cmd+shift+/ is reserved",
    ],
    [
      "a shortcut of another platform",
      // eslint-disable-next-line @raycast/no-ambiguous-platform-shortcut
      panel(<Action title="Do" icon={icon} shortcut={{ modifiers: ["cmd"], key: "j" }} />),
      "its shortcut is for another platform",
    ],
    ["a submenu without …", panel(<ActionPanel.Submenu title="More" icon={icon} />), "ends with …"],
    ["a picture that is not there", list(<List.Item title="a" icon="gone.png" />), "gone.png is missing in assets/"],
    [
      "a picture that would be fetched",
      list(<List.Item title="a" icon="https://x.example/a.png" />),
      "would be fetched",
    ],
    [
      "a black picture without a tint",
      list(<List.Item title="a" icon={{ source: "state-idle.png" }} />),
      "has no tint",
    ],
    ["an icon that does not exist", list(<List.Item title="a" icon="no-such-icon-16" />), "no icon no-such-icon-16"],
    [
      "a color that does not exist",
      list(<List.Item title="a" icon={{ source: Icon.Circle, tintColor: "mauve" }} />),
      "no color mauve",
    ],
    [
      "two menu items that look the same",
      <MenuBarExtra key="1">
        <MenuBarExtra.Item title="claude" />
        <MenuBarExtra.Item title="claude" />
      </MenuBarExtra>,
      "two identical items",
    ],
    [
      "two in sections, which lie flat in a menu",
      <MenuBarExtra key="1">
        <MenuBarExtra.Section title="One">
          <MenuBarExtra.Item title="claude" />
        </MenuBarExtra.Section>
        <MenuBarExtra.Section title="Two">
          <MenuBarExtra.Item title="claude" />
        </MenuBarExtra.Section>
      </MenuBarExtra>,
      "two identical items",
    ],
    [
      "an alternate with a shortcut",
      <MenuBarExtra key="1">
        <MenuBarExtra.Item
          title="a"
          alternate={<MenuBarExtra.Item title="b" shortcut={Keyboard.Shortcut.Common.Open} />}
        />
      </MenuBarExtra>,
      "its alternate has a shortcut",
    ],
  ])("%s", async (_name, element, message) => {
    await expect(render(() => element)).rejects.toThrow(message);
  });

  test("a fault in a later tree, which a test is told of where it waits", async () => {
    let spoil = () => {};
    function Command() {
      const [title, setTitle] = useState("fine");
      spoil = () => setTitle("\ud83d");
      return list(<List.Item title={title} />);
    }
    const { root } = await render(Command);
    setTimeout(spoil, 0);
    await expect(eventually(() => expect(one(root, "List.Item").props.title).not.toBe("fine"))).rejects.toThrow(
      "not well-formed",
    );
  });

  test("what a component throws", async () => {
    await expect(
      render(() => {
        throw new Error("no view");
      }),
    ).rejects.toThrow("no view");
  });

  test("a toast in the background", async () => {
    environment.launchType = LaunchType.Background;
    await expect(showToast({ title: "x" })).rejects.toThrow("Toast API is not available");
  });

  test("a command that does not exist, and one that is not enabled", async () => {
    await expect(hostApi.launchCommand({ name: "gone", type: "userInitiated" })).rejects.toThrow("does not exist");
    host.launchFailures.set("search-sessions", "not enabled");
    await expect(hostApi.launchCommand({ name: "search-sessions", type: "userInitiated" })).rejects.toThrow(
      "not enabled",
    );
  });

  test("a preference that the manifest lacks", () => {
    host.preferences = { statusDir: "/x" };
    expect(() => hostApi.getPreferenceValues()).toThrow('No preference "statusDir"');
  });
});

test("preferences have the manifest's defaults", () => {
  const defaults = { cacheTtl: "auto", terminal: "auto", countUnread: "needs-you", hideMenuBar: false };
  expect(hostApi.getPreferenceValues()).toMatchObject(defaults);
  host.preferences = { hideMenuBar: true, homeDirectory: "/x" };
  expect(hostApi.getPreferenceValues()).toMatchObject({ ...defaults, hideMenuBar: true, homeDirectory: "/x" });
});

test("actions do what theirs do", async () => {
  const seen: unknown[] = [];
  const { root } = await render(() =>
    panel(
      <>
        <Action title="Plain" icon={icon} onAction={() => void seen.push("plain")} />
        <Action.Open title="Open" icon={icon} target="/a" onOpen={(target) => seen.push(target)} />
        <Action.ShowInFinder title="Show" icon={icon} path="/b" onShow={(path) => seen.push(path)} />
        <Action.CopyToClipboard title="Copy" icon={icon} content="text" onCopy={(content) => seen.push(content)} />
      </>,
    ),
  );
  for (const type of ["Action", "Action.Open", "Action.ShowInFinder", "Action.CopyToClipboard"]) {
    await run(one(root, type));
  }
  expect(host.opened).toEqual(["/a", "/b"]);
  expect(host.clipboard).toBe("text");
  expect(seen).toEqual(["plain", "/a", "/b", "text"]);
});

test("a form gives its values as the fields hold them, and may leave the view", async () => {
  const seen: unknown[] = [];
  const { root } = await render(() => {
    const { pop } = useNavigation();
    const submit = (values: Form.Values) => {
      seen.push(values);
      pop();
    };
    return (
      <Form
        actions={
          <ActionPanel>
            <Action.SubmitForm title="Send" icon={icon} onSubmit={submit} />
          </ActionPanel>
        }
      >
        <Form.TextArea id="text" title="Message" placeholder="What to say" />
      </Form>
    );
  });
  await run(one(root, "Action.SubmitForm"), { text: null });
  expect(seen).toEqual([{ text: null }]);
  expect(host.popped).toBe(1);
  await expect(
    render(() => (
      <Form>
        <Form.TextArea id="text" title="Message" />
      </Form>
    )),
  ).rejects.toThrow("no placeholder");
});

test("an alert is kept, and answered as the test has it", async () => {
  host.confirm = false;
  expect(await confirmAlert({ title: "Sure?", message: "It is gone then." })).toBe(false);
  expect(host.alerts).toEqual([{ title: "Sure?", message: "It is gone then." }]);
});

test("names and values are the launcher's own", () => {
  expect([Icon.Circle, Color.Red, Color.SecondaryText]).toEqual(["circle-16", "raycast-red", "raycast-secondary-text"]);
  for (const name of Object.keys(hostApi)) {
    expect(TYPES).toMatch(new RegExp(`export declare (const|enum|function|class|namespace) ${name}\\b`));
  }
});

test.each([
  ["Mark All as Read", true],
  ["Copy ID", true],
  ["No Sessions", true],
  ["3 More…", true],
  ["Needs You (2)", true],
  ["Mark all as read", false],
  ["Open The Folder", false],
  ["the Folder", false],
  ["Open iTerm2", true],
  ["Open kitty", true],
  ["Open xterm", false],
])("Title Case: %s", (title, expected) => {
  expect(isTitleCase(title)).toBe(expected);
});
