import type { EngineInterface } from "claude-code";
import { homeOf } from "../core/file-path";
import { languageOf, type Language } from "../core/language";
import { textsIn, type Texts } from "../core/texts";

/** The user's folder. */
export async function userFolder($: EngineInterface): Promise<string> {
  const folder = (await $.env.get("HOME")) || (await $.env.get("USERPROFILE"));
  if (!folder) throw new Error("HOME is not set");
  return folder;
}

/** Our home, as every part of Agent Sessions finds it. */
export async function ourHome($: EngineInterface): Promise<string> {
  return homeOf(await $.env.get("AGENT_SESSIONS_HOME"), await userFolder($));
}

/** The folder of Claude Code's own files. */
export async function configFolder($: EngineInterface): Promise<string> {
  return (await $.env.get("CLAUDE_CONFIG_DIR")) || `${await userFolder($)}/.claude`;
}

/** The language the user reads. */
export async function language($: EngineInterface): Promise<Language> {
  return languageOf(await $.env.get("LC_ALL"), await $.env.get("LC_MESSAGES"), await $.env.get("LANG"));
}

/** What the plugin says, in the user's language. */
export async function texts($: EngineInterface): Promise<Texts> {
  return textsIn(await language($));
}

/** A file's text; empty where it cannot be read. */
export async function textOf($: EngineInterface, file: string): Promise<string> {
  try {
    return await $.fs.read(file);
  } catch {
    return "";
  }
}

/** Shows a line for a while. */
export function tell($: EngineInterface, text: string): void {
  $.ui.toast(text, { timeoutMs: 10_000 });
}
