import { createHash } from "node:crypto";
import { text, valuesOf } from "../fields";
import { given } from "../../session/given";
import type { HookSetting, MapPayload } from "../../session/mapping";

/**
 * Maps the call of aider's notifications command (its documentation and source): it comes when an answer is there and
 * aider waits for input, with no payload at all. So `done` is the one state there is: neither work, failure nor the end
 * can be known. The session is made up of the folder, which the command inherits: two aiders in one folder are one row.
 * Where no folder is known it is the process that started the command, which is aider or its shell.
 */
export const mapAider: MapPayload = (payload, setting) => {
  const cwd = folderOf(payload, setting);
  const sessionId = cwd === undefined ? processId(setting.parent) : `aider-${digestOf(cwd)}`;
  if (sessionId === undefined) {
    return { outcome: "refused", reason: "payload: aider names no session, and neither folder nor process is known" };
  }
  return {
    outcome: "event",
    identity: { agent: "aider", sessionId },
    event: { at: setting.at, name: "notification", ...given("cwd", cwd), kind: "answer-finished" },
  };
};

function folderOf(payload: unknown, { env }: HookSetting): string | undefined {
  const cwd = text.parse(valuesOf(payload).cwd) ?? env.PWD?.toWellFormed();
  return cwd === undefined || cwd.trim() === "" ? undefined : cwd;
}

function processId(parent: number | undefined): string | undefined {
  return parent === undefined || !Number.isSafeInteger(parent) || parent <= 1 ? undefined : `aider-pid-${parent}`;
}

function digestOf(folder: string): string {
  return createHash("sha256").update(folder).digest("hex").slice(0, 16);
}
