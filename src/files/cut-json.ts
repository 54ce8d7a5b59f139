/**
 * The leading keys of a JSON object whose end was cut off: up to the last key whose value is whole. Undefined when not
 * even one is.
 */
export function parseCutObject(text: string): unknown {
  let depth = 0;
  let inString = false;
  let end = -1;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    else if (character === "," && depth === 1) end = index;
  }
  if (end < 0) return undefined;
  try {
    return JSON.parse(`${text.slice(0, end)}}`);
  } catch {
    return undefined;
  }
}
