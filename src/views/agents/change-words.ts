import type { Change } from "./change-plan";

/** What a change is called. */
export interface ChangeWords {
  /** The action that does it. */
  action: string;
  doing: string;
  done: string;
  failed: string;
  lookFailed: string;
  /** What is asked before; without it, the view that shows the change is the question. */
  question?: { title: string; message: string };
}

/** The words for each change of an agent with this name. */
export const CHANGE_WORDS: Readonly<
  Record<Change["part"], Readonly<Record<"apply" | "remove", (title: string) => ChangeWords>>>
> = {
  "set-up": {
    apply: (title) => ({
      action: "Apply",
      doing: `Setting Up ${title}…`,
      done: `Set Up ${title}`,
      failed: `Could Not Set Up ${title}`,
      lookFailed: "Could Not Look at the Settings",
    }),
    remove: (title) => ({
      action: "Remove",
      doing: `Removing from ${title}…`,
      done: `Removed from ${title}`,
      failed: `Could Not Remove from ${title}`,
      lookFailed: "Could Not Look at the Settings",
      question: {
        title: `Remove from ${title}?`,
        message: "It will not report its sessions any more. Everything else in its settings stays.",
      },
    }),
  },
  plugin: {
    apply: () => ({
      action: "Install Claude Plugin",
      doing: "Installing the Claude Plugin…",
      done: "Installed the Claude Plugin",
      failed: "Could Not Install the Claude Plugin",
      lookFailed: "Could Not Look at the Plugin",
      question: {
        title: "Install the Claude Plugin?",
        message: "Claude Code runs it in every session that starts from now on.",
      },
    }),
    remove: () => ({
      action: "Remove Claude Plugin",
      doing: "Removing the Claude Plugin…",
      done: "Removed the Claude Plugin",
      failed: "Could Not Remove the Claude Plugin",
      lookFailed: "Could Not Look at the Plugin",
      question: {
        title: "Remove the Claude Plugin?",
        message: "Its commands and its requests go; the hooks go on reporting.",
      },
    }),
  },
};
