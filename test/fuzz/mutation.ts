import fc from "fast-check";

/** Bytes that end, begin, cut or fill something in one of the formats, or that are no text at all. */
const FRAGMENTS: readonly Buffer[] = [
  ..."{ } [ ] \" ' : , \\ / # & * ! | > - = % @ ` . ..  ".split(" "),
  "\n",
  "\r",
  "\r\n",
  "\n\n",
  "\t",
  "\0",
  "//",
  "/*",
  "*/",
  "\ufeff",
  "null",
  "true",
  "-1",
  "0",
  "1e999",
  "1e308",
  "-0",
  "99999999999999999999",
  "1796010364910",
  '""',
  "[]",
  "{}",
  '"\\ud800"',
  '"\\u0000"',
  '"\\u001b[2J"',
  '"__proto__":',
  '"constructor":{"prototype":1},',
  '"session_id":"other",',
  "\u001b[2J",
  "\u009b2J",
  "\u202e",
  "\u2028",
  "é",
  "日本",
  "👩‍👩‍👧",
  '"""',
  "'''",
  "---\n",
  "&a [*a]",
  "*nobody",
  "<<: ",
  "[[a]]\n",
  "a.b.c = 1\n",
  "=",
]
  .map((text) => Buffer.from(text))
  .concat(
    // No UTF-8: a lone byte, one that cannot be, an overlong one, half a character, a surrogate.
    [[0x80], [0xff, 0xfe], [0xc0, 0x80], [0xf0, 0x9f, 0x98], [0xed, 0xa0, 0x80]].map((bytes) => Buffer.from(bytes)),
  );

/** Bytes of a file. A failure shows them as a text, and of a long one only the ends; the seed gives it back whole. */
export function shown(bytes: Buffer): Buffer {
  const text = JSON.stringify(bytes.toString("latin1"));
  const short = text.length <= 1_200 ? text : `${text.slice(0, 800)} … ${bytes.length} bytes … ${text.slice(-300)}`;
  return Object.assign(bytes, { [fc.toStringMethod]: () => short });
}

type Edit =
  | { how: "flip"; at: number; by: number }
  | { how: "remove" | "repeat"; at: number; length: number }
  | { how: "cut"; at: number }
  | { how: "insert" | "overwrite"; at: number; bytes: Buffer }
  | { how: "fill"; at: number; bytes: Buffer; times: number }
  | { how: "splice"; at: number; other: number; from: number };

const position = fc.nat({ max: 0xff_ffff });
const length = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 400 }));
const fragment = fc.oneof(
  fc.constantFrom(...FRAGMENTS),
  fc.uint8Array({ minLength: 1, maxLength: 6 }).map((bytes) => Buffer.from(bytes)),
);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ how: fc.constant("flip" as const), at: position, by: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ how: fc.constantFrom("remove" as const, "repeat" as const), at: position, length }),
  fc.record({ how: fc.constantFrom("insert" as const, "overwrite" as const), at: position, bytes: fragment }),
  fc.record({ how: fc.constant("cut" as const), at: position }),
  fc.record({
    how: fc.constant("fill" as const),
    at: position,
    bytes: fragment,
    times: fc.oneof(fc.constant(2), fc.constantFrom(64, 3_000)),
  }),
  fc.record({ how: fc.constant("splice" as const), at: position, other: position, from: position }),
);

/** Real files of which some bytes were changed, removed, repeated, or replaced by parts of others. */
export function mutatedBytes(samples: readonly (string | Buffer)[]): fc.Arbitrary<Buffer> {
  const buffers = samples.map((each) => Buffer.from(each));
  return fc
    .tuple(fc.constantFrom(...buffers), fc.array(edit, { minLength: 1, maxLength: 4 }))
    .map(([sample, edits]) =>
      shown(edits.reduce<Buffer>((bytes, each) => edited(bytes, each, buffers), Buffer.from(sample))),
    );
}

function edited(bytes: Buffer, change: Edit, samples: readonly Buffer[]): Buffer {
  const at = bytes.length === 0 ? 0 : change.at % (bytes.length + 1);
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at);
  switch (change.how) {
    case "flip": {
      const copy = Buffer.from(bytes);
      const old = copy[at];
      if (old !== undefined) copy[at] = old ^ change.by;
      return copy;
    }
    case "remove":
      return Buffer.concat([before, after.subarray(change.length)]);
    case "repeat":
      return Buffer.concat([before, after.subarray(0, change.length), after]);
    case "cut":
      return before;
    case "insert":
      return Buffer.concat([before, change.bytes, after]);
    case "overwrite":
      return Buffer.concat([before, change.bytes, after.subarray(change.bytes.length)]);
    case "fill":
      return Buffer.concat([before, ...Array.from({ length: change.times }, () => change.bytes), after]);
    case "splice": {
      const other = samples[change.other % samples.length] ?? bytes;
      return Buffer.concat([before, other.subarray(change.from % (other.length + 1))]);
    }
    default:
      return change satisfies never;
  }
}

/** A value, a bracket or a comma of JSON as it stands in a text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;

/** What may stand where something else belongs, as JSON. */
export const anyJson: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      "null",
      "true",
      "0",
      "-1",
      "1.5",
      "1e308",
      "-1e999",
      "9007199254740993",
      "1796010364910",
      "253402300800",
      '""',
      '" "',
      '"\\u0000"',
      '"\\ud800"',
      '"\\udc00x"',
      '"\\u001b]8;;x\\u0007"',
      '"\\u202e"',
      '"../../etc/passwd"',
      '"__proto__"',
      '"constructor"',
      '"idle"',
      '"working"',
      '"waiting"',
      "[]",
      "{}",
      "[[]]",
      '{"__proto__":{"a":1}}',
      '{"toString":null,"length":-1}',
    ),
  },
  { weight: 4, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 20 }).map((text) => JSON.stringify(text)) },
  { weight: 1, arbitrary: fc.constantFrom(1_000, 20_000).map((times) => `"${"x".repeat(times)}"`) },
  { weight: 1, arbitrary: fc.constantFrom(300, 12_000).map((times) => "[".repeat(times) + "]".repeat(times)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(300, 12_000).map((times) => `${'{"a":'.repeat(times)}1${"}".repeat(times)}`),
  },
);

const NUMBERS = ["0", "-1", "0.5", "1e308", "-1e308", "1e-320", "253402300800", "1796010364910000000", "2147483648"];

const TEXTS = [
  '""',
  '"\\ud800"',
  '"x\\udc00"',
  '"\\u0000"',
  '"\\u001b]0;x\\u0007"',
  '"\\u009b2J"',
  '"\\u202e"',
  '"a\\nb\\u2028c"',
  '".."',
  '"/"',
  '"__proto__"',
  `"${"w ".repeat(3_000)}"`,
];

/** What is exchanged: anything by anything, or a number or a text by one that is hostile. */
const HOW = ["replace", "number", "text", "member", "double", "remove"] as const;

/** What leaves the whole readable comes oftener: what cannot be read at all is soon tried. */
const OFTEN = fc.constantFrom<(typeof HOW)[number]>(...HOW, "number", "number", "text", "text", "text", "replace");

/**
 * Texts in JSON of which some values or keys were exchanged, doubled or left out, so that they still are JSON, or nearly:
 * what bytes alone seldom come to.
 */
export function mutatedTokens(samples: readonly string[]): fc.Arbitrary<string> {
  const change = fc.tuple(position, OFTEN, anyJson, fc.nat({ max: 1_000 }));
  return fc
    .tuple(fc.constantFrom(...samples), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([sample, changes]) =>
      changes.reduce((text, [at, how, json, pick]) => exchanged(text, at, how, { json, pick }), sample),
    );
}

function exchanged(
  text: string,
  at: number,
  how: (typeof HOW)[number],
  { json, pick }: { json: string; pick: number },
): string {
  const tokens = Array.from(text.matchAll(TOKEN)).filter(({ 0: token, index }) => {
    if (how === "number") return /^[-\d]/.test(token);
    if (how === "member") return token === "{";
    // A text that is a value, not the name of one.
    return (
      how !== "text" ||
      (token.startsWith('"') && !/^\s*:/.test(text.slice(index + token.length, index + token.length + 9)))
    );
  });
  const token = tokens[at % Math.max(1, tokens.length)];
  if (token === undefined) return text + json;
  const end = token.index + token[0].length;
  const before = text.slice(0, token.index);
  const rest = text.slice(end);
  switch (how) {
    case "member":
      return `${text.slice(0, end)}"__proto__":${json},${rest}`;
    case "double":
      return `${text.slice(0, end)},${token[0]}${rest}`;
    case "remove":
      return before + rest;
    case "number":
      return before + (NUMBERS[pick % NUMBERS.length] ?? "0") + rest;
    case "text":
      return before + (TEXTS[pick % TEXTS.length] ?? '""') + rest;
    case "replace":
      // A key stays a key.
      return before + (/^\s*:/.test(rest) && !json.startsWith('"') ? '"renamed"' : json) + rest;
    default:
      return how satisfies never;
  }
}

/** Both kinds of mutation, as the bytes of a file. */
export function mutatedFiles(samples: readonly string[]): fc.Arbitrary<Buffer> {
  return fc.oneof(
    { weight: 5, arbitrary: mutatedBytes(samples) },
    { weight: 9, arbitrary: mutatedTokens(samples).map((text) => shown(Buffer.from(text))) },
    { weight: 1, arbitrary: anyJson.map((text) => shown(Buffer.from(text))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => shown(Buffer.from(bytes))) },
  );
}
