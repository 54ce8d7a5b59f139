import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "../scratch";

/** A program that keeps what it was called with, and answers what it is told to. */
export class FakeCommand {
  readonly path: string;
  private readonly log: string;

  /** @param answer by the first argument: what it prints on which output, and its exit code */
  constructor(
    answer: Readonly<Record<string, { out?: unknown; err?: string; code?: number }>> = {},
    name = "agent-sessions",
  ) {
    const folder = scratchFolder();
    this.path = join(folder, name);
    this.log = join(folder, "called");
    const cases = Object.entries(answer).map(([verb, { out, err, code = 0 }], index) => {
      const files = { out: join(folder, `${index}.out`), err: join(folder, `${index}.err`) };
      writeFileSync(files.out, out === undefined ? "" : typeof out === "string" ? out : `${JSON.stringify(out)}\n`);
      writeFileSync(files.err, err ?? "");
      return `${verb}) /bin/cat '${files.out}'; /bin/cat '${files.err}' >&2; exit ${code} ;;`;
    });
    const keep = `for each in "$@"; do printf '%s\\0' "$each"; done >>'${this.log}'; printf '\\n\\0' >>'${this.log}'`;
    writeFileSync(this.path, ["#!/bin/sh", keep, 'case "$1" in', ...cases, "esac", ""].join("\n"), { mode: 0o755 });
  }

  /** The arguments of each call. */
  get calls(): string[][] {
    if (!existsSync(this.log)) return [];
    const calls: string[][] = [[]];
    for (const word of readFileSync(this.log, "utf8").split("\0").slice(0, -1)) {
      if (word === "\n") calls.push([]);
      else calls.at(-1)?.push(word);
    }
    return calls.slice(0, -1);
  }
}
