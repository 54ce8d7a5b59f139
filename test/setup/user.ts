import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { AgentHooks } from "../../src/agents/settings-target";
import {
  agentsOf,
  applySetUp,
  planRemoval,
  planSetUp,
  type AppliedFile,
  type SetUpPlace,
} from "../../src/observe/set-up";
import { setup, type SetupRequest, type SetupSurroundings } from "../../src/cli/verbs/setup";
import { cliIo, type TestIo } from "../cli-io";
import { scratchFolder, scratchPlaces } from "../scratch";

export const ASSETS = resolve(__dirname, "..", "..", "assets");

export const AGENTS = [
  "claude",
  "codex",
  "gemini",
  "qwen",
  "opencode",
  "cursor",
  "copilot",
  "droid",
  "amp",
  "aider",
] as const;

/** A user with an empty home, and our home beside it, so that what is left in either can be compared. */
export class User {
  readonly folder = scratchFolder();
  readonly places = scratchPlaces();
  readonly environment: Record<string, string>;

  constructor(environment: Record<string, string> = {}) {
    this.environment = { HOME: this.folder, PATH: "/nowhere", ...environment };
  }

  get place(): SetUpPlace {
    return { environment: this.environment, home: this.places.home, assets: ASSETS, platform: "linux" };
  }

  agent(name: string): AgentHooks {
    const agent = agentsOf(this.place).find((each) => each.agent === name);
    if (agent === undefined) throw new Error(`no agent ${name}`);
    return agent;
  }

  /** The path of an agent's first settings file, or another one. */
  settings(name: string, index = 0): string {
    const target = this.agent(name).targets[index];
    if (target === undefined) throw new Error(`${name} has no such file`);
    return target.path;
  }

  write(path: string, text: string | Buffer, mode = 0o644): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
  }

  /** Every file and folder of the user's, with its bytes. */
  snapshot(): Record<string, string> {
    const found: Record<string, string> = {};
    const walk = (folder: string) => {
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        const isFolder = statSync(path).isDirectory();
        found[relative(this.folder, path)] = isFolder ? "folder" : readFileSync(path).toString("latin1");
        if (isFolder) walk(path);
      }
    };
    walk(this.folder);
    return found;
  }

  setUp(name: string): AppliedFile[] {
    return applySetUp(planSetUp(this.place, [this.agent(name)]));
  }

  remove(name: string): AppliedFile[] {
    return applySetUp(planRemoval(this.place, [this.agent(name)]));
  }

  io(columns?: number): TestIo {
    return cliIo(this.places, { environment: this.environment, ...(columns === undefined ? {} : { columns }) });
  }

  async run(request: Partial<SetupRequest>, io: TestIo, surroundings: SetupSurroundings = {}): Promise<number> {
    const full = { agents: [], remove: false, dryRun: false, yes: true, ...request };
    return setup(full, io, { assets: ASSETS, ...surroundings });
  }
}

/** A folder's files but for backups, which a set-up leaves on purpose. */
export function withoutBackups(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !/\.bak-\d{14}(-\d+)?$/.test(name)));
}
