import type { Node } from "./renderer";
import { all, titleOf } from "./tree";

/**
 * The items that a typed text leaves in a list, by the launcher's own filter: every word begins a word of the title or
 * a keyword. (The launcher is more lenient; what is found here, it finds.)
 */
export function matching(list: Node, typed: string): Node[] {
  const words = typed.toLowerCase().split(" ");
  return all(list, "List.Item").filter((item) => {
    const keywords = Array.isArray(item.props.keywords) ? item.props.keywords.map(String) : [];
    const targets = [...titleOf(item).split(" "), ...keywords].map((target) => target.toLowerCase());
    return words.every((word) => targets.some((target) => target.startsWith(word)));
  });
}
