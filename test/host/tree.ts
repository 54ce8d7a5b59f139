import type { Node } from "./renderer";

/** Every node of a type, in the order in which they show. */
export function all(node: Node, type: string): Node[] {
  const found = node.children.flatMap((child) => all(child, type));
  return node.type === type ? [node, ...found] : found;
}

/** The one node of a type, and of a title when given. */
export function one(node: Node, type: string, title?: string): Node {
  const nodes = all(node, type).filter((candidate) => title === undefined || titleOf(candidate) === title);
  const [found] = nodes;
  if (found === undefined || nodes.length > 1) {
    throw new Error(`Expected one ${type} "${title ?? ""}", found ${nodes.length} in:\n${outline(node)}`);
  }
  return found;
}

/** A node's title, whether plain or with a tooltip. */
export function titleOf(node: Node): string {
  const { title } = node.props;
  return typeof title === "object" && title !== null && "value" in title ? String(title.value) : String(title);
}

/** The actions of an item, whatever their component, in the order in which they show. */
export function actions(item: Node): Node[] {
  const found = item.children.flatMap(actions);
  return item.type === "Action" || item.type.startsWith("Action.") ? [item, ...found] : found;
}

/** The action of an item by its title. */
export function action(item: Node, title: string): Node {
  const found = actions(item).find((each) => titleOf(each) === title);
  if (found === undefined) throw new Error(`No action "${title}" among ${actions(item).map(titleOf).join(", ")}`);
  return found;
}

/** The tree's titles, indented, for a failure's message. */
export function outline(node: Node, depth = 0): string {
  const title = node.props.title === undefined ? "" : ` "${titleOf(node)}"`;
  const line = `${"  ".repeat(depth)}${node.type}${title}\n`;
  return line + node.children.map((child) => outline(child, depth + 1)).join("");
}
