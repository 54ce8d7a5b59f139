// Breaks what matters most, one thing after the other, in copies of the project, and shows that the tests named for it go
// red (test/mutations.json): node scripts/mutation-check.mjs [--json FILE] [--only WORDS] [--workers N]
// Each is run first as it is, which has to be green, then broken, which has to be red by a test that failed: a program
// that does not run any more catches nothing. Ends with 1 unless every one is caught. Needs root, as tests of owners do.
import { spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { keepFigures, measured, writeFigures } from "./figures.mjs";

const PROJECT = dirname(dirname(fileURLToPath(import.meta.url)));
const TABLE = join(PROJECT, "test", "mutations.json");

/** What a copy does without: it is large, made anew, or of no use to tests. */
const LEFT_OUT = new Set([".git", "node_modules", "build", "dist", "media", "metadata"]);

/** A run that takes longer hangs. In milliseconds. */
const PATIENCE_MS = 120_000;

/** Tests of these folders render views, which takes the launcher's stand-in; the others start without it. */
const WITH_LAUNCHER = /^test\/(?:views|commands|tools|host)\//;

const { values: options } = parseArgs({
  options: { json: { type: "string" }, only: { type: "string" }, workers: { type: "string", default: "2" } },
});

/** Reads the table; what does not fit the project any more is an error. */
function mutations() {
  const faults = [];
  const table = JSON.parse(readFileSync(TABLE, "utf8"));
  for (const { what, file, before, after, tests } of table) {
    const text = readFileSync(join(PROJECT, file), "utf8");
    const count = text.split(before).length - 1;
    if (count !== 1) faults.push(`${what}: its text stands ${count} times in ${file}`);
    if (before === after) faults.push(`${what}: it changes nothing`);
    for (const test of tests) {
      if (statSync(join(PROJECT, test), { throwIfNoEntry: false }) === undefined) {
        faults.push(`${what}: there is no ${test}`);
      }
    }
  }
  if (faults.length > 0) throw new Error(`test/mutations.json does not fit the project:\n${faults.join("\n")}`);
  return table.filter(({ what }) => options.only === undefined || what.includes(options.only));
}

/** A copy of the project that may be broken. */
class Copy {
  constructor() {
    this.folder = mkdtempSync(join(tmpdir(), "agent-sessions-mutations-"));
    // Some tests look as another user.
    chmodSync(this.folder, 0o755);
    for (const name of readdirSync(PROJECT).filter((each) => !LEFT_OUT.has(each))) {
      cpSync(join(PROJECT, name), join(this.folder, name), { recursive: true, preserveTimestamps: true });
    }
    symlinkSync(join(PROJECT, "node_modules"), join(this.folder, "node_modules"));
    const config = createRequire(import.meta.url)(join(PROJECT, "jest.config.js"));
    const own = { ...config, rootDir: this.folder, cacheDirectory: join(this.folder, ".jest"), reporters: ["default"] };
    writeFileSync(join(this.folder, "with-launcher.json"), JSON.stringify(own));
    writeFileSync(join(this.folder, "plain.json"), JSON.stringify({ ...own, setupFilesAfterEnv: [] }));
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs the tests of a mutation; what came of it. */
  async run({ tests, only, env }) {
    const result = join(this.folder, "result.json");
    rmSync(result, { force: true });
    const config = tests.some((test) => WITH_LAUNCHER.test(test)) ? "with-launcher.json" : "plain.json";
    const argv = [
      join(PROJECT, "node_modules", "jest", "bin", "jest.js"),
      ...["--config", config, "--runInBand", "--silent", "--json", "--outputFile", result],
      // A machine that is busy is slow: that is no test's failure.
      ...["--testTimeout", "30000"],
      ...(only === undefined ? [] : ["--testNamePattern", only]),
      "--",
      ...tests,
    ];
    const started = Date.now();
    // What a broken program does to a home folder, it does to this one.
    const isTable = tests.some((test) => test.startsWith("test/permissions/"));
    const environment = {
      ...process.env,
      HOME: mkdtempSync(join(this.folder, "home-")),
      // Of the traps at each place a usual run tries a third only.
      ...(isTable && { THOROUGH: "1" }),
      ...env,
    };
    const child = spawn(process.execPath, argv, { cwd: this.folder, env: environment, stdio: "ignore" });
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    await new Promise((settle) => child.once("exit", settle));
    clearTimeout(timer);
    return { ...outcomeIn(result), seconds: (Date.now() - started) / 1000 };
  }

  /** The same with a text of a file replaced by another. */
  async runBroken(mutation) {
    const path = join(this.folder, mutation.file);
    const text = readFileSync(path, "utf8");
    try {
      // Not as a pattern: `$` stands for itself.
      writeFileSync(
        path,
        text.replace(mutation.before, () => mutation.after),
      );
      return await this.run(mutation);
    } finally {
      writeFileSync(path, text);
    }
  }
}

function outcomeIn(path) {
  let told;
  try {
    told = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return { outcome: "hangs", failed: [] };
  }
  const results = told.testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = results.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
  if (told.numRuntimeErrorTestSuites > 0) return { outcome: "does not run", failed };
  if (failed.length > 0) return { outcome: "red", failed };
  return { outcome: told.numPassedTests > 0 ? "green" : "has no tests", failed };
}

/** Works through a list with several copies at once, in the list's order. */
async function withCopies(count, list, work) {
  const copies = Array.from({ length: count }, () => new Copy());
  const results = [];
  let next = 0;
  try {
    await Promise.all(
      copies.map(async (copy) => {
        while (next < list.length) {
          const index = next++;
          results[index] = await work(copy, list[index]);
        }
      }),
    );
  } finally {
    for (const copy of copies) copy.remove();
  }
  return results;
}

/** The same tests of several mutations are run unbroken once. */
const unbroken = new Map();

async function check(copy, mutation) {
  const { tests, only, env } = mutation;
  const key = JSON.stringify([tests, only, env]);
  if (!unbroken.has(key)) unbroken.set(key, copy.run(mutation));
  const before = await unbroken.get(key);
  const after = before.outcome === "green" ? await copy.runBroken(mutation) : undefined;
  const isCaught = after?.outcome === "red";
  console.log(`${isCaught ? "caught" : "NOT CAUGHT"}  ${mutation.what}`);
  const seconds = before.seconds + (after?.seconds ?? 0);
  return { ...mutation, unbroken: before, broken: after, isCaught, seconds };
}

function tableOf(results) {
  const rows = results.map(({ what, file, tests, unbroken, broken, isCaught, seconds }) => {
    const by = broken?.failed[0] ?? "";
    const outcome = isCaught ? "red" : unbroken.outcome === "green" ? broken.outcome : `unbroken: ${unbroken.outcome}`;
    const more = isCaught && broken.failed.length > 1 ? ` and ${broken.failed.length - 1} more` : "";
    return `| ${what} | \`${file}\` | ${tests.join(", ")} | ${outcome} | ${by}${more} | ${seconds.toFixed(1)} |`;
  });
  return [
    "| What is broken | Where | Tests | Outcome | By | s |",
    "| --- | --- | --- | --- | --- | --: |",
    ...rows,
  ].join("\n");
}

const started = Date.now();
const list = mutations();
const results = await withCopies(Math.min(Number(options.workers), list.length), list, check);
const caught = results.filter(({ isCaught }) => isCaught).length;
console.log(`\n${tableOf(results)}\n`);
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
console.log(`${caught} of ${results.length} mutations caught, in ${Math.round((Date.now() - started) / 1000)} s`);
process.exitCode = caught === results.length && results.length > 0 ? 0 : 1;
if (options.only === undefined) {
  const rows = results.map(({ what, file, isCaught }) => ({ what, file, isCaught }));
  keepFigures("mutations", { ...measured(), rows });
  await writeFigures();
}
