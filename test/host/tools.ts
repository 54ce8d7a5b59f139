import { join } from "node:path";
import * as z from "zod";
import { MANIFEST, PROJECT } from "./manifest";
import { host$ } from "./state";

const tool = z.strictObject({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  icon: z.string().optional(),
});

/** A tool as the manifest declares it. */
export type ManifestTool = z.infer<typeof tool>;

/** The tools that the manifest declares for the launcher's model. */
export const TOOLS: readonly ManifestTool[] = z.array(tool).parse(MANIFEST.tools);

const asked = z.strictObject({
  style: z.string().optional(),
  message: z.string().optional(),
  info: z.array(z.strictObject({ name: z.string(), value: z.string().optional() })).optional(),
});

/** What the launcher asks the user before a tool runs. */
export type Asked = z.infer<typeof asked>;

/** What came of a call: what the user was asked, and what the model gets unless the user said no. */
export interface Called {
  asked?: Asked;
  answer?: unknown;
}

/**
 * Calls a tool as the launcher's model does: it has to be in the manifest, its input and its answer cross as JSON, and
 * where it has a confirmation the user (`host.confirm`) is asked first.
 *
 * @param from the folder its code lies in; the sources by default
 */
export async function callTool(name: string, input?: unknown, from = join(PROJECT, "src")): Promise<Called> {
  if (!TOOLS.some((each) => each.name === name)) throw new Error(`Tool "${name}" does not exist`);
  const loaded: { default?: unknown; confirmation?: unknown } = await import(join(from, "tools", name));
  const { default: run, confirmation } = loaded;
  if (!isTool(run)) throw new Error(`${name} exports no tool`);
  const called: Called = {};
  if (isTool(confirmation)) {
    const question = crossing(await confirmation(crossing(input)));
    if (question !== undefined) {
      called.asked = asked.parse(question);
      if (!host$.confirm) return called;
    }
  }
  called.answer = crossing(await run(crossing(input)));
  return called;
}

/** A value as it arrives on the other side; what JSON cannot hold, or holds only broken, does not. */
function crossing(value: unknown): unknown {
  if (value === undefined) return undefined;
  const text = JSON.stringify(value);
  // JSON writes a lone surrogate as an escape, which ends what reads it.
  if (/\\ud[89a-f]/i.test(text)) throw new Error("A text is not well-formed UTF-16");
  return JSON.parse(text);
}

function isTool(value: unknown): value is (input: unknown) => unknown {
  return typeof value === "function";
}
