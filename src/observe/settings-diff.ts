import { createTwoFilesPatch } from "diff";
import { printable } from "../session/text";
import type { PlannedFile } from "./set-up";

/** The exact difference a file gets, as a unified diff; what could steer a terminal in it is shown as a replacement. */
export function diffOf({ file: { path, text }, after }: PlannedFile & { outcome: "change" }): string {
  const patch = createTwoFilesPatch(
    text === undefined ? "/dev/null" : path,
    after === undefined ? "/dev/null" : path,
    text ?? "",
    after ?? "",
    undefined,
    undefined,
    { context: 3 },
  );
  return patch
    .replace(/^(Index: .*\n)?=+\n/, "")
    .split("\n")
    .map((line) => line.replace(/\r$/, "").split("\t").map(printable).join("\t"))
    .join("\n");
}
