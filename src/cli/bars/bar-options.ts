import { SessionsError } from "../../session/failure";
import { PROMPT_SHELLS, type PromptShell } from "./prompt";

/**
 * The shell of `--shell`, in any case.
 *
 * @throws SessionsError `usage` for another word
 */
export function parsePromptShell(text: string): PromptShell {
  const shell = PROMPT_SHELLS.find((each) => each === text.trim().toLowerCase());
  if (shell !== undefined) return shell;
  throw new SessionsError(
    "usage",
    `"${text}" is not a shell with a prompt of its own.`,
    `Shells: ${PROMPT_SHELLS.join(", ")}.`,
  );
}
