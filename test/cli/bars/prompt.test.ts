import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import fc from "fast-check";
import { parsePromptShell } from "../../../src/cli/bars/bar-options";
import { escapePrompt, PROMPT_SHELLS, promptText, type PromptShell } from "../../../src/cli/bars/prompt";
import { segmentOf } from "../../../src/cli/bars/segment";
import { propertyRuns } from "../../property-runs";
import { scratchFolder } from "../../scratch";
import { hostileSnapshot, hostileText, isCalm, session, sessionsOf, SIZES, snapshotOf } from "./snapshots";

const PLAIN = { always: false, short: false, title: false };

/** What a prompt shows of a text: takes the escapes of our own colors out, and fails on any other. */
function shown(text: string, shell: PromptShell | undefined): string {
  switch (shell) {
    case "zsh":
      return text.replace(/%%|%[Bbf]|%F\{(?:red|green|blue|magenta|yellow)\}|%/g, (whole) => {
        if (whole === "%") throw new Error("a % that means something");
        return whole === "%%" ? "%" : "";
      });
    case "bash":
      // eslint-disable-next-line no-control-regex
      return text.replace(/\u0001\u001b\[[\d;]+m\u0002/g, "");
    case "fish":
      // eslint-disable-next-line no-control-regex
      return text.replace(/\u001b\[[\d;]+m/g, "");
    case undefined:
      expect(text).not.toContain("%");
      return text;
    default:
      return shell satisfies never;
  }
}

const SHELLS = [...PROMPT_SHELLS, undefined];

test.each(SIZES)("%i sessions are one line in every shell", (count) => {
  const segment = segmentOf(snapshotOf(sessionsOf(count)), PLAIN);
  for (const shell of SHELLS) {
    const text = promptText(segment, shell, true);
    expect(text).not.toContain("\n");
    expect(shown(text, shell)).toBe(promptText(segment, undefined, false));
    expect(text === "").toBe(count === 0);
  }
});

test("colors stand in each shell's own escapes, so that it knows what takes no room", () => {
  const segment = segmentOf(snapshotOf([session("failed", "a"), session("working", "b")]), PLAIN);
  expect(promptText(segment, "zsh", true)).toBe("%B%F{red}1 needs you%f%b, %F{blue}1 working%f");
  expect(promptText(segment, "bash", true)).toBe(
    "\u0001\u001b[1;31m\u00021 needs you\u0001\u001b[0m\u0002, \u0001\u001b[34m\u00021 working\u0001\u001b[0m\u0002",
  );
  expect(promptText(segment, "fish", true)).toBe("\u001b[1;31m1 needs you\u001b[0m, \u001b[34m1 working\u001b[0m");
  for (const shell of SHELLS) expect(promptText(segment, shell, false)).toBe("1 needs you, 1 working");
  expect(promptText(segment, undefined, true)).toBe("1 needs you, 1 working");
});

test("no title breaks a prompt: nothing that a shell would expand is left", () => {
  fc.assert(
    fc.property(hostileSnapshot, fc.constantFrom(...SHELLS), (snapshot, shell) => {
      const text = shown(promptText(segmentOf(snapshot, { ...PLAIN, title: true }), shell, true), shell);
      expect(text).not.toMatch(/[\n\\$`]/);
      expect(isCalm(text)).toBe(true);
    }),
    propertyRuns(500),
  );
});

/** How each shell draws a prompt: once with the command in it, once with the text put in by a function before it. */
const DRAW: Readonly<Record<"bash" | "zsh", string[]>> = {
  bash: [`PS1='$(printf %s "$TEXT")'; printf %s "\${PS1@P}"`, `PS1="$TEXT"; printf %s "\${PS1@P}"`],
  zsh: [
    `setopt PROMPT_SUBST; PROMPT='$(printf %s "$TEXT")'; print -rn -- "\${(%%)PROMPT}"`,
    `setopt PROMPT_SUBST; PROMPT="$TEXT"; print -rn -- "\${(%%)PROMPT}"`,
  ],
};

describe.each(["bash", "zsh"] as const)("%s itself (skipped without it)", (shell) => {
  const withShell = spawnSync(shell, ["-c", "exit 0"]).status === 0 ? test : test.skip;

  withShell("shows hostile titles as they are escaped, and runs nothing", () => {
    const folder = scratchFolder();
    const check = (text: string) => {
      const escaped = escapePrompt(text, shell);
      for (const script of DRAW[shell]) {
        const argv = shell === "zsh" ? ["-f", "-c", script] : ["--norc", "-c", script];
        const { stdout } = spawnSync(shell, argv, {
          cwd: folder,
          encoding: "utf8",
          env: { PATH: process.env.PATH, TEXT: escaped, LANG: "C.UTF-8" },
        });
        expect(stdout).toBe(shown(escaped, shell));
      }
      expect(readdirSync(folder)).toEqual([]);
    };
    for (const text of [
      "$(touch x)",
      "`touch x`",
      "${x:=$(touch x)}",
      "\\[\\$(touch x)\\]",
      "%{%}%F{red}%(!.a.b)",
      "100%",
    ])
      check(text);
    fc.assert(
      fc.property(
        hostileText.filter((text) => !text.includes("\0")),
        check,
      ),
      propertyRuns(25),
    );
  });
});

test("the shell of an option is one of three, in any case", () => {
  expect(parsePromptShell(" ZSH ")).toBe("zsh");
  expect(() => parsePromptShell("cmd")).toThrow("Shells: bash, zsh, fish.");
});
