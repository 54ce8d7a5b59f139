import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programRunner, saidBy } from "../../src/control/run-program";
import { scratchFolder } from "../scratch";

const onPosix = process.platform === "win32" ? describe.skip : describe;

onPosix("a program", () => {
  let home: string;
  let run: ReturnType<typeof programRunner>;

  beforeEach(() => {
    home = scratchFolder();
    mkdirSync(join(home, ".local", "bin"), { recursive: true });
    const environment = {
      HOME: home,
      PATH: "relative:/usr/bin:/bin",
      LANG: "C",
      CLAUDECODE: "1",
      ANTHROPIC_API_KEY: "k",
      TMUX: "t",
    };
    run = programRunner(environment);
  });

  const script = (name: string, text: string) => {
    const path = join(home, ".local", "bin", name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o700);
  };

  test("is found where programs of users lie, and gets its arguments and its input as they are", async () => {
    script("say", 'printf "%s|" "$@"; cat');
    const parameters = ["$(id)", "a b", "--x", "*", "", "é\n"];
    expect(await run({ program: "say", parameters, input: "in\n" })).toEqual({
      outcome: "ended",
      code: 0,
      stdout: `${parameters.join("|")}|in\n`,
      stderr: "",
    });
  });

  test("knows nothing of the session that started us, but what it needs", async () => {
    const ran = await run({ program: "env", parameters: [], environment: { CODEX_HOME: "/c" } });
    const names = (ran.outcome === "ended" ? ran.stdout : "").split("\n").map((line) => line.split("=")[0]);
    expect(names).toEqual(expect.arrayContaining(["HOME", "PATH", "LANG", "CODEX_HOME"]));
    for (const name of ["CLAUDECODE", "ANTHROPIC_API_KEY", "TMUX"]) expect(names).not.toContain(name);
  });

  test("that is not there, or no program, is missing", async () => {
    writeFileSync(join(home, ".local", "bin", "notes"), "");
    mkdirSync(join(home, ".local", "bin", "folder"));
    for (const program of ["nowhere-to-be-found", "notes", "folder"]) {
      expect(await run({ program, parameters: [] })).toEqual({ outcome: "missing" });
    }
  });

  test("that fails tells its code, one that takes too long is ended, and an impossible argument is no crash", async () => {
    script("fail", "echo sorry >&2; exit 7");
    expect(await run({ program: "fail", parameters: [] })).toEqual({
      outcome: "ended",
      code: 7,
      stdout: "",
      stderr: "sorry\n",
    });
    expect(await run({ program: "sleep", parameters: ["100"], timeout: 50 })).toMatchObject({ code: null });
    expect(await run({ program: "env", parameters: ["\0"] })).toMatchObject({ outcome: "ended", code: null });
  });

  test("that does not read its input is none the worse for it", async () => {
    script("deaf", "exec <&-; exit 0");
    expect(await run({ program: "deaf", parameters: [], input: "x".repeat(1_000_000) })).toMatchObject({ code: 0 });
  });
});

test("of what a program said its error comes before its warnings", () => {
  expect(saidBy({ stdout: "", stderr: "WARNING: x\nError: no such thread\n" })).toBe("Error: no such thread");
  expect(saidBy({ stdout: "out", stderr: "\n first\nsecond" })).toBe("first");
  expect(saidBy({ stdout: "", stderr: "" })).toBe("");
});
