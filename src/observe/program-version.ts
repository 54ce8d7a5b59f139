import { execFile } from "node:child_process";
import { cutText, oneLine, printable } from "../session/text";

/** A program that does not answer at once is not waited for. */
const VERSION_MS = 3000;

/** Asks a program for its version; undefined when it gives none in time. Tests give their own. */
export type AskVersion = (program: string) => Promise<string | undefined>;

/** Runs `--version`, and takes the first line that says something. */
export const versionOf: AskVersion = (program) =>
  new Promise((resolve) => {
    const child = execFile(
      program,
      ["--version"],
      { timeout: VERSION_MS, killSignal: "SIGKILL", maxBuffer: 64 * 1024, windowsHide: true },
      (error, stdout) => {
        const line = cutText(oneLine(printable(stdout.split("\n").find((each) => each.trim() !== "") ?? "")), 80);
        resolve(error !== null || line === "" ? undefined : line);
      },
    );
    child.stdin?.end();
  });
