import { execFileSync, type StdioOptions } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import process from "node:process";

/** Where an agent's program is: in the folder that `AGENTS_BIN` names, else on the PATH. */
export function findAgent(name: string): string | undefined {
  const chosen = process.env.AGENTS_BIN ?? "";
  return chosen === "" ? findOnPath(name) : findIn([chosen], name);
}

export function findOnPath(name: string): string | undefined {
  return findIn((process.env.PATH ?? "").split(delimiter), name);
}

/** What a program says of its version, for whoever reads the results. */
export function versionOf(program: string, environment: Readonly<Record<string, string>>): string {
  try {
    const stdio: StdioOptions = ["ignore", "pipe", "ignore"];
    return execFileSync(program, ["--version"], { env: environment, encoding: "utf8", stdio, timeout: 30_000 }).trim();
  } catch {
    return "of an unknown version";
  }
}

function findIn(folders: readonly string[], name: string): string | undefined {
  return folders
    .filter((folder) => folder !== "")
    .map((folder) => resolve(join(folder, name)))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
