import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import * as z from "zod";

const entrySchema = z.object({
  at: z.number(),
  event: z.string(),
  payload: z.unknown(),
  env: z.record(z.string(), z.string()),
  /** What came on the command line; a payload that came there is its last argument. */
  argv: z.array(z.string()).optional(),
});

/** One event as a real agent's hook received it; `at` in milliseconds. */
export type Entry = z.infer<typeof entrySchema>;

/** Where the recordings of real agents lie. */
export const CAPTURES = join(__dirname, "captures");

/** The events of a recording, by its path below `captures/` without the ending, oldest first. */
export function recording(name: string): Entry[] {
  return readFileSync(join(CAPTURES, `${name}.jsonl`), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => entrySchema.parse(JSON.parse(line)))
    .sort((one, other) => one.at - other.at);
}

/** The names of a folder's recordings; the registry's own (`*.status`) are none. */
export function recordingsIn(folder: string): string[] {
  return readdirSync(join(CAPTURES, folder))
    .filter((name) => name.endsWith(".jsonl") && !/(^|\.)status\.jsonl$/.test(name))
    .map((name) => `${folder}/${basename(name, ".jsonl")}`);
}
