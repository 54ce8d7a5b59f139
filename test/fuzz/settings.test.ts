import fc from "fast-check";
import { existsSync, readFileSync } from "node:fs";
import { agentsOf } from "../../src/observe/set-up";
import type { SettingsTarget } from "../../src/agents/settings-target";
import { applyEdits } from "../../src/files/settings-edit";
import { diagnose } from "../../src/observe/doctor";
import { diagnosisText } from "../../src/cli/doctor-text";
import { planText } from "../../src/cli/setup-text";
import { planSetUp } from "../../src/observe/set-up";
import { AGENTS, User, withoutBackups } from "../setup/user";
import { calmFault } from "./calm";
import { fuzz, type Tally } from "./fuzz";
import { mutatedBytes, mutatedTokens, shown } from "./mutation";

const RECORDER = {
  path: "/home/me/.agent-sessions/bin/record",
  inbox: "/home/me/.agent-sessions/inbox",
  platform: "linux",
} as const;

const HOOKED = agentsOf({
  environment: { HOME: "/home/me" },
  home: "/home/me/.agent-sessions",
  assets: "/a",
  platform: "linux",
});

/** Settings as people and other programs write them, by the ending of their name. */
const JSON_SAMPLES = [
  "{}",
  "",
  "\ufeff{}\r\n",
  '{"model":"opus","hooks":{}}',
  `{
  // what I like
  "model": "opus", /* not sonnet */
  "permissions": { "allow": ["Bash(npm test)", "Read(**)"], "deny": [] },
  "hooks": {
    "Stop": [
      { "matcher": "", "hooks": [{ "type": "command", "command": "say done" }] }, // loud
    ],
    "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "/opt/guard --strict", "timeout": 5 }] }]
  },
  "env": { "A": "1", "B": "\\u00e9\\"\\\\" },
}
`,
  '{\n\t"version": 1,\r\n\t"hooks": {"stop": [{"command": "./notify.sh"}]}\r\n}',
  '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/home/me/.agent-sessions/bin/record claude Stop"}]}]}}',
];

const TOML_SAMPLES = [
  "",
  'model = "gpt-5" # the best\n\n[profiles.fast]\nmodel = "gpt-5-mini"\n',
  "#:schema https://example.invalid/schema.json\nmodel = 'x'\n[[hooks]]\na = { b = [1, 2,\n 3] }\n",
  'notify = ["/opt/other", "arg"]\n[tui]\nnotifications = true\n',
  'notify = ["/home/me/.agent-sessions/bin/record", "codex", "notify"]\nmodel = "x"\r\n',
  'a.b."c d" = 1979-05-27T07:32:00Z\ns = """\nmany\nlines"""\nt = \'\'\'\nraw\'\'\'\n',
];

const YAML_SAMPLES = [
  "",
  "model: opus # the best\nread:\n  - CONVENTIONS.md\n  - 'it''s.md'\n",
  '---\n# mine\ndark-mode: true\nalias:\n  - "fast:gpt"\nset-env:\n  - A=1\n...\n',
  "a: &x {b: 1}\nc: *x\nd: |\n  many\n  lines\ne: >-\n  folded\n   text\n",
  "notifications: true\nnotifications-command: \"/home/me/.agent-sessions/bin/record aider done ''\"\nmodel: x\n",
  "notifications-command: say done\r\nmodel: x\r\n",
];

const SCRIPT_SAMPLES = ["", "// mine\nexport default {};\n", "// agent-sessions plugin\nexport const a = 1;\n"];

function samplesOf(path: string): string[] {
  if (path.endsWith(".json")) return JSON_SAMPLES;
  if (path.endsWith(".toml")) return TOML_SAMPLES;
  return path.endsWith(".yml") ? YAML_SAMPLES : SCRIPT_SAMPLES;
}

/** A mutated file of settings as it would lie on the disk, and as the text that is read of it. */
function settings(path: string): fc.Arbitrary<Buffer> {
  const samples = samplesOf(path);
  const bytes = mutatedBytes(samples);
  return path.endsWith(".json")
    ? fc.oneof(
        bytes,
        mutatedTokens(samples).map((text) => shown(Buffer.from(text))),
      )
    : bytes;
}

/** Set up: ours is in it, and everything else to the byte; twice is once; and by the memory of it, it never was. */
function expectSetUp(target: SettingsTarget, text: string, tally: Tally): void {
  const held = target.holdsOurs(text);
  const set = target.setUp(text, RECORDER, undefined);
  switch (set.outcome) {
    case "refused":
    case "kept":
      expect(set.reason.trim()).not.toBe("");
      if (set.outcome === "refused" && set.fault !== undefined) expect(set.fault.line).toBeGreaterThanOrEqual(1);
      tally.refused();
      break;
    case "already":
      expect(held).toBe(true);
      break;
    case "change": {
      expect(target.holdsOurs(set.text)).toBe(true);
      expect(target.setUp(set.text, RECORDER, set.created)).toEqual({ outcome: "already" });
      if (held || set.undo === undefined) break;
      expect(applyEdits(set.text, set.undo)).toBe(text);
      // Every edit only added: nothing of the user's was rewritten.
      expect(set.undo.map((edit) => edit.text).join("")).toBe("");
      const removed = target.remove(set.text, set.created);
      if (removed.outcome === "change" && removed.text !== undefined)
        expect(target.holdsOurs(removed.text)).toBe(false);
      else if (removed.outcome === "refused") expect(removed.reason.trim()).not.toBe("");
      break;
    }
    default:
      set satisfies never;
  }
  const removed = target.remove(text, undefined);
  if (removed.outcome === "absent") expect(held).toBe(false);
  if (removed.outcome === "change" && removed.text !== undefined) expect(target.holdsOurs(removed.text)).toBe(false);
  if (removed.outcome === "refused") expect(removed.reason.trim()).not.toBe("");
}

describe("the settings of an agent", () => {
  const targets = HOOKED.flatMap(({ agent, targets: all }) =>
    all.map((target, index) => ({ name: all.length > 1 ? `${agent}, ${index + 1}` : agent, target })),
  );

  test("every agent is here", () => {
    expect(new Set(HOOKED.map(({ agent }) => agent))).toEqual(new Set(AGENTS));
  });

  // A program's whole file is ours, or somebody else's.
  const edited = targets.filter(({ target }) => /\.(?:json|toml|yml)$/.test(target.path));

  test.each(edited)("$name: what nobody damaged is no reason to refuse", ({ target }) => {
    for (const text of samplesOf(target.path)) {
      const { outcome } = target.setUp(text, RECORDER, undefined);
      expect([text, ["change", "already", "kept"].includes(outcome)]).toEqual([text, true]);
      expectSetUp(target, text, { refused: () => undefined });
    }
  });

  for (const { name, target } of targets) {
    fuzz(`settings (${name})`, 15, settings(target.path), (bytes, tally) => {
      const text = bytes.toString("utf8");
      expectSetUp(target, text, tally);
      if (target.obstacle !== undefined) {
        const said = target.obstacle(text);
        if (said !== undefined) expect(said.trim()).not.toBe("");
      }
    });
  }
});

describe("set-up and its removal, on the disk", () => {
  const user = { current: new User() };
  beforeEach(() => {
    user.current = new User();
  });

  const files = fc.constantFrom(...AGENTS).chain((agent) => fc.tuple(fc.constant(agent), settings(samplePath(agent))));

  fuzz("set-up and removal", 10, files, async ([agent, bytes], tally) => {
    const person = user.current;
    const path = person.settings(agent);
    person.write(path, bytes);
    const before = person.snapshot();
    const plan = planSetUp(person.place, [person.agent(agent)]);
    // The difference shows the tabs of the file.
    const fault = calmFault(planText(plan).replaceAll("\t", " "));
    if (fault !== undefined) throw new Error(`the plan holds ${fault}`);
    const applied = person.setUp(agent);
    for (const each of applied) expect(each.outcome).toBe("written");
    const own = plan.files.find(({ target }) => target.path === path);
    if (own?.outcome === "refused") {
      expect(own.error.message).toContain(path);
      tally.refused();
    }
    if (own?.outcome !== "change") expect(readFileSync(path).equals(bytes)).toBe(true);
    const diagnosis = await diagnose(person.place, async () => undefined, []);
    const fuss = calmFault(diagnosisText(diagnosis, 1_800_000_000));
    if (fuss !== undefined) throw new Error(`the diagnosis holds ${fuss}`);
    person.remove(agent);
    const after = withoutBackups(person.snapshot());
    // What held ours before is without it now; everything else is as it was, to the byte.
    const target = person.agent(agent).targets.find((each) => each.path === path);
    if (target?.holdsOurs(bytes.toString("utf8")) !== true) expect(after).toEqual(withoutBackups(before));
    for (const each of Object.keys(person.snapshot())) person.write(`${person.folder}/${each}.gone`, "");
    user.current = new User();
  });

  function samplePath(agent: string): string {
    return new User().settings(agent);
  }
});

test("settings in which every key leads to a prototype change none", () => {
  for (const { targets } of HOOKED) {
    for (const { path, setUp, remove } of targets) {
      for (const text of [
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}',
        "__proto__: {polluted: 1}\n",
        "__proto__.polluted = 1\n",
      ]) {
        setUp(text, RECORDER, [["__proto__"]]);
        remove(text, [["__proto__", "polluted"]]);
        expect([path, Object.hasOwn(Object.prototype, "polluted")]).toEqual([path, false]);
      }
    }
  }
  expect(existsSync("/home/me")).toBe(false);
});
