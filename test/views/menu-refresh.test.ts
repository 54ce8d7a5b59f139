import { refreshMenuBar } from "../../src/views/menu-refresh";
import { host } from "../host";

test("on macOS the menu bar is launched in the background", async () => {
  await refreshMenuBar("darwin");
  expect(host.launched).toEqual([{ name: "sessions-in-menu-bar", type: "background" }]);
});

test("one that was never opened has nothing to refresh", async () => {
  host.launchFailures.set("sessions-in-menu-bar", "must be activated before it can be run in the background");
  await expect(refreshMenuBar("darwin")).resolves.toBeUndefined();
});

test.each(["win32", "linux"] as const)("%s has no menu bar", async (platform) => {
  await refreshMenuBar(platform);
  expect(host.launched).toEqual([]);
});
