import { asShown } from "./transcript-values";

/** How many prompts of the beginning are kept: a pickup phrase is among them. */
export const PROMPTS_KEPT = 15;

/** The user's prompts at the beginning of a transcript, as they are shown. */
export class Prompts {
  private readonly kept: string[] = [];
  private firstByUser?: string;

  /** Whether there are as many as are kept. */
  get isFull(): boolean {
    return this.kept.length >= PROMPTS_KEPT;
  }

  /**
   * Adds a prompt; a blank one is none.
   *
   * @param isTyped false when something wrote it in the user's place: it is no title then
   */
  add(text: string, isTyped = true): void {
    const shown = this.isFull ? undefined : asShown(text);
    if (shown === undefined) return;
    this.kept.push(shown);
    if (isTyped) this.firstByUser ??= shown;
  }

  /** What is known of them. */
  facts(): { firstPrompt?: string; prompts?: readonly string[] } {
    const { firstByUser: firstPrompt, kept: prompts } = this;
    return { ...(firstPrompt === undefined ? {} : { firstPrompt }), ...(prompts.length === 0 ? {} : { prompts }) };
  }
}
