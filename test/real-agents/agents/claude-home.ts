/** No key of anyone: the model on loopback takes whatever comes. */
export const KEY = "sk-ant-not-a-key-of-anyone-0000000000000000000000000000";

/** What Claude Code remembers of a user who used it before in a folder: `.claude.json`. */
export function rememberedBy(work: string): object {
  return {
    hasCompletedOnboarding: true,
    theme: "dark",
    numStartups: 5,
    // It asks once whether to use a key from the environment, and remembers the key's end.
    customApiKeyResponses: { approved: [KEY.slice(-20)], rejected: [] },
    projects: { [work]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true, allowedTools: [] } },
  };
}
