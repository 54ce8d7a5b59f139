import { described, isPayload, simplified } from "./values";

/** Whether a word, in lower case, speaks of a failure. */
export function isFailureWord(word: string): boolean {
  return /error|failed|failure|exception/.test(word);
}

/** Whether a payload says that something failed: a key about failures, anywhere in what describes the event. */
export function hasFailure(value: unknown): boolean {
  const isMarked =
    isPayload(value) && Object.entries(value).some(([key, marker]) => isAboutFailure(key) && isBad(marker));
  return isMarked || described(value).some(hasFailure);
}

function isAboutFailure(key: string): boolean {
  const name = simplified(key);
  return name === "exitstatus" || isFailureWord(name);
}

const HARMLESS: ReadonlySet<string> = new Set(["", "0", "false", "no", "none", "null", "success", "ok"]);

/** Whether the value under such a key means that it did fail. */
function isBad(marker: unknown): boolean {
  switch (typeof marker) {
    case "boolean":
      return marker;
    case "number":
      return marker !== 0;
    case "string":
      return !HARMLESS.has(marker.trim().toLowerCase());
    default:
      return marker !== null && marker !== undefined;
  }
}
