import { spawn } from "node:child_process";
import { Unmet } from "./wait-until";

/**
 * Runs a program that has no terminal, to its end.
 *
 * @throws Unmet when it fails
 */
export function runAside(
  [program = "", ...parameters]: readonly string[],
  options: { cwd: string; env: Readonly<Record<string, string>>; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, parameters, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
      });
    }
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve();
      else reject(new Unmet(`${parameters.join(" ")} ended with ${code}: ${said}`));
    });
  });
}
