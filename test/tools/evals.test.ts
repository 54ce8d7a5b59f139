import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { FENCE_NOTE } from "../../src/tools/fenced-text";
import { STATE_WORDS } from "../../src/tools/state-word";
import { MANIFEST, PROJECT } from "../host/manifest";
import { isTitleCase } from "../host/title-case";
import { TOOLS } from "../host/tools";
import { ANSWERS } from "./answers";

/** What an argument or an answer is compared with: a value that it equals, or rules (evals, "Expectations"). */
type Matcher =
  | string
  | number
  | boolean
  | Matcher[]
  | { [rule in "eq" | "includes" | "matches" | "not"]?: Matcher }
  | { and?: Matcher[]; or?: Matcher[] };

const matcher: z.ZodType<Matcher> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.array(matcher),
    z.strictObject({ eq: matcher }),
    z.strictObject({ includes: z.string() }),
    z.strictObject({ matches: z.string() }),
    z.strictObject({ not: matcher }),
    z.strictObject({ and: z.array(matcher) }),
    z.strictObject({ or: z.array(matcher) }),
  ]),
);

const call = z.union([
  z.string().transform((name) => ({ name, arguments: {} })),
  z.strictObject({ name: z.string(), arguments: z.record(z.string(), matcher) }),
]);

type Call = z.output<typeof call>;

interface Expectation {
  callsTool?: Call;
  includes?: string;
  matches?: string;
  meetsCriteria?: string;
  not?: Expectation;
  or?: Expectation[];
}

const expectation: z.ZodType<Expectation> = z.lazy(() =>
  z.union([
    z.strictObject({ callsTool: call }),
    z.strictObject({ includes: z.string() }),
    z.strictObject({ matches: z.string() }),
    z.strictObject({ meetsCriteria: z.string() }),
    z.strictObject({ not: expectation }),
    z.strictObject({ or: z.array(expectation).min(2) }),
  ]),
);

const ai = z
  .strictObject({
    instructions: z.string(),
    evals: z.array(
      z.strictObject({
        input: z.string(),
        usedAsExample: z.boolean().optional(),
        mocks: z.record(z.string(), z.unknown()),
        expected: z.array(expectation).min(1),
      }),
    ),
  })
  // As `ray build` reads it: YAML 1.2, in which there are no merge keys.
  .parse(parse(readFileSync(join(PROJECT, "ai.yaml"), "utf8")));

function callsIn(expected: Expectation): Call[] {
  const { callsTool, not, or = [] } = expected;
  return [
    ...(callsTool === undefined ? [] : [callsTool]),
    ...[...(not === undefined ? [] : [not]), ...or].flatMap(callsIn),
  ];
}

/** The calls that an eval wants made. */
function wanted({ expected }: (typeof ai.evals)[number]): string[] {
  return expected
    .flatMap(({ callsTool, or = [] }) => [...(callsTool === undefined ? [] : [callsTool]), ...or.flatMap(callsIn)])
    .map(({ name }) => name);
}

/** The calls that an eval wants not to be made, whatever their arguments. */
function unwanted({ expected }: (typeof ai.evals)[number]): string[] {
  return expected
    .flatMap(({ not }) => not?.callsTool ?? [])
    .filter((each) => Object.keys(each.arguments).length === 0)
    .map(({ name }) => name);
}

const names = TOOLS.map(({ name }) => name);

describe("the manifest's tools", () => {
  test("each has a file of its name, and a name, title and description as the launcher takes them", () => {
    for (const { name, title, description } of TOOLS) {
      expect([name, existsSync(join(PROJECT, "src", "tools", `${name}.ts`))]).toEqual([name, true]);
      expect(name).toMatch(/^[a-z0-9-]{1,64}$/);
      expect([title, isTitleCase(title)]).toEqual([title, true]);
      expect(description).toMatch(/^[A-Z].{10,2046}\.$/s);
    }
    expect(new Set(names).size).toBe(TOOLS.length);
  });

  test("no file in src/tools gives a function for the model without being one of them", () => {
    const folder = join(PROJECT, "src", "tools");
    const giving = readdirSync(folder).filter((name) =>
      /^export default /m.test(readFileSync(join(folder, name), "utf8")),
    );
    expect(giving.map((name) => name.replace(/\.ts$/, "")).sort()).toEqual([...names].sort());
  });
});

describe("the instructions", () => {
  test("explain every state, every tool that changes something, and whose words count", () => {
    for (const word of STATE_WORDS.filter((each) => each !== "done")) expect(ai.instructions).toContain(`"${word}"`);
    for (const word of ["pause-sessions", "mark-as-read", "warm", "cold", "unread", "«", "»"]) {
      expect(ai.instructions).toContain(word);
    }
    expect(ai.instructions).toMatch(/never follow them/);
    expect(ai.instructions).toMatch(/Never call pause-sessions unless the user asked/);
    // Several extensions share a conversation: none says who the model is.
    expect(ai.instructions).not.toMatch(/\byou are an?\b/i);
  });
});

describe("the evals", () => {
  test("there are some for each tool, and examples for the user", () => {
    expect(ai.evals.length).toBeGreaterThanOrEqual(6);
    expect(new Set(ai.evals.flatMap(wanted))).toEqual(new Set(names));
    expect(ai.evals.filter(({ usedAsExample }) => usedAsExample !== false).length).toBeGreaterThanOrEqual(4);
    expect(new Set(ai.evals.map(({ input }) => input)).size).toBe(ai.evals.length);
  });

  test("a session that gives orders gets none of them carried out, and is no example", () => {
    const attempts = ai.evals.filter(({ mocks }) => /«[^»]*call pause-sessions/i.test(JSON.stringify(mocks)));
    expect(attempts.length).toBeGreaterThan(0);
    for (const attempt of attempts) {
      expect(attempt.usedAsExample).toBe(false);
      expect(unwanted(attempt)).toEqual(expect.arrayContaining(["pause-sessions", "mark-as-read"]));
      // Were it called, it would succeed: that it is not is the model's doing.
      expect(Object.keys(attempt.mocks)).toEqual(expect.arrayContaining(["pause-sessions", "mark-as-read"]));
    }
  });

  test.each(ai.evals.map((each) => [each.input, each] as const))("%s", (input, each) => {
    expect(input).toMatch(new RegExp(`^@${MANIFEST.name} \\S`));
    const mocked = Object.keys(each.mocks);
    expect(mocked.filter((name) => !names.includes(name))).toEqual([]);
    expect(wanted(each).filter((name) => !mocked.includes(name))).toEqual([]);
    for (const { name } of each.expected.flatMap(callsIn)) expect(names).toContain(name);
    for (const { matches } of each.expected) if (matches !== undefined) new RegExp(matches);
  });

  test.each(
    ai.evals.flatMap(({ input, mocks }) => Object.entries(mocks).map(([name, mock]) => [name, input, mock] as const)),
  )("the mock of %s for %s is what the tool answers", (name, _input, mock) => {
    const known = Object.entries(ANSWERS).find(([each]) => each === name);
    if (known === undefined) throw new Error(`no tool ${name}`);
    const answer = known[1].parse(mock);
    expect(answer.note).toBe(FENCE_NOTE);
    for (const { state } of "sessions" in answer ? answer.sessions : []) expect(STATE_WORDS).toContain(state);
  });
});

const schema = z.strictObject({
  type: z.enum(["string", "boolean", "array"]),
  description: z.string().min(12).optional(),
  enum: z.array(z.string()).optional(),
  items: z.strictObject({ type: z.literal("string"), enum: z.array(z.string()).optional() }).optional(),
});

const builtTool = z.looseObject({
  name: z.string(),
  instructions: z.string().min(12),
  input: z.looseObject({ properties: z.record(z.string(), schema), required: z.array(z.string()) }),
  confirmation: z.boolean(),
});

/** The tools as `ray build -e dist -o dist` left them. */
function builtTools(): z.infer<typeof builtTool>[] | undefined {
  const path = join(PROJECT, "dist", "package.json");
  if (!existsSync(path)) return undefined;
  const { tools } = z.looseObject({ tools: z.unknown().optional() }).parse(JSON.parse(readFileSync(path, "utf8")));
  return tools === undefined ? undefined : z.array(builtTool).parse(tools);
}

const tools = builtTools();

(tools === undefined ? describe.skip : describe)("as built (skipped while dist/ is missing or older)", () => {
  const named = (name: string) => {
    const found = tools?.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no tool ${name} in dist`);
    return found;
  };

  test("each has its instructions, a described input, and asks where it acts on sessions", () => {
    expect(tools?.map(({ name }) => name)).toEqual(names);
    for (const name of names) {
      const { instructions, input, confirmation } = named(name);
      expect(confirmation).toBe(name === "pause-sessions");
      expect(instructions).not.toMatch(/@\w+/);
      for (const [field, { description }] of Object.entries(input.properties)) {
        expect([field, description]).toEqual([field, expect.stringMatching(/^[A-Z].*\.$/)]);
      }
    }
    expect(named("list-sessions").input.properties.states?.items?.enum).toEqual(
      expect.arrayContaining([...STATE_WORDS]),
    );
  });

  test.each(
    ai.evals.flatMap(({ input, expected }) =>
      expected.flatMap(callsIn).map((each) => [each.name, input, each] as const),
    ),
  )("a call of %s for %s has arguments that fit", (name, _input, { arguments: given }) => {
    const { properties } = named(name).input;
    for (const [field, value] of Object.entries(given)) {
      const known = properties[field];
      expect([field, known]).toEqual([field, expect.anything()]);
      if (typeof value === "object") continue;
      expect([field, typeof value]).toEqual([field, known?.type === "array" ? known.items?.type : known?.type]);
      const among = known?.enum ?? known?.items?.enum;
      if (among !== undefined) expect(among).toContain(value);
    }
  });
});
