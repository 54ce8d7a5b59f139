/** Small words of the launcher's own lint rule, which stay small unless they come first. */
const SMALL = new Set(
  "a an the and but or nor for yet so to as at by from in into of off on onto out over up with".split(" "),
);

/** Names that are spelled their own way. */
const NAMES = new Set(["opencode", "aider", "iTerm", "kitty", "tmux"]);

/** Verbs of two words: the second belongs to the verb and is no small word, whatever the lint rule thinks. */
const TWO_WORD_VERBS = /\b(Set|Setting) Up\b/g;

/** Whether a title of ours is in Title Case, as the launcher's lint rule has it. */
export function isTitleCase(title: string): boolean {
  return title
    .replace(TWO_WORD_VERBS, "$1")
    .split(" ")
    .every((part, index) => {
      const word = part.replace(/^[^A-Za-z]+|[^A-Za-z]+$/g, "");
      if (word === "" || NAMES.has(word)) return true;
      const isSmall = SMALL.has(word.toLowerCase()) && index > 0;
      return isSmall ? word === word.toLowerCase() : /^[A-Z]/.test(word);
    });
}
