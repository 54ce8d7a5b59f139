import { homedir } from "node:os";
import { SessionsError } from "../session/failure";
import type { Session } from "../session/session";
import { resumeText } from "../terminals/resume";

/** The command line that takes a session up again; undefined where its agent has none, or a shell could misread it. */
export function resumeCommandOf(session: Session): string | undefined {
  try {
    return resumeText(session, { platform: process.platform, home: process.env.HOME?.trim() || homedir() });
  } catch (error) {
    if (error instanceof SessionsError) return undefined;
    throw error;
  }
}
