import { transformSync } from "esbuild";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AMP_EVENTS, ampHooks } from "../../../src/agents/amp/hooks";
import { mapperOf } from "../../../src/agents/registry";
import { decodeInboxEntry } from "../../../src/files/inbox-entry";
import { scratchFolder } from "../../scratch";
import { loadPlugin } from "../../setup/plugin-host";

function source(inbox: string): string {
  const [target] = ampHooks({ environment: {}, user: "/home/me", platform: "linux" }).targets;
  const set = target?.setUp(undefined, { path: "/x/bin/record", inbox, platform: "linux" }, undefined);
  if (set?.outcome !== "change") throw new Error("no plugin");
  return set.text;
}

test("the plugin is valid TypeScript, and begins with the line that Amp wants", () => {
  const text = source("/home/me/inbox");
  expect(() => transformSync(text, { loader: "ts", format: "esm" })).not.toThrow();
  expect(text.split("\n")[0]).toBe("// @i-know-the-amp-plugin-api-is-wip-and-very-experimental-right-now");
});

test("events become entries that the mapping reads; tools go on", async () => {
  const inbox = join(scratchFolder(), "inbox");
  const handlers = new Map<string, (event: unknown, context: unknown) => Promise<unknown>>();
  loadPlugin(source(inbox), "ts").default({
    on: (type: string, handler: (event: unknown, context: unknown) => Promise<unknown>) => handlers.set(type, handler),
  });
  expect([...handlers.keys()]).toEqual([...AMP_EVENTS]);
  const context = { thread: { id: "T-1" } };
  const tell = (type: string, event: unknown) => handlers.get(type)?.(event, context);
  expect(await tell("session.start", {})).toBeUndefined();
  await tell("agent.start", { message: "do it", messages: [1, 2] });
  expect(await tell("tool.call", { tool: "Bash", toolUseID: "u1", input: { command: "ls" } })).toEqual({
    action: "allow",
  });
  await tell("tool.result", { tool: "Bash", toolUseID: "u1", status: "done" });
  await tell("agent.end", { status: "error", error: new Error("no network") });
  expect(await tell("tool.call", null)).toEqual({ action: "allow" });

  const kinds = readdirSync(inbox)
    .sort()
    .map((name) => {
      const decoded = decodeInboxEntry(readFileSync(join(inbox, name), "utf8"));
      if (decoded.outcome === "refused") throw new Error(decoded.reason);
      const { agent, event = "", env, payload } = decoded.entry;
      const mapped = mapperOf(agent)(JSON.parse(payload), { at: 1, event, env });
      return mapped.outcome === "event" ? [mapped.identity.sessionId, mapped.event.kind] : [mapped.outcome];
    });
  expect(kinds.slice(0, 5)).toEqual([
    ["T-1", "session-started"],
    ["T-1", "prompt-submitted"],
    ["T-1", "tool-started"],
    ["T-1", "tool-finished"],
    ["T-1", "turn-failed"],
  ]);
});
