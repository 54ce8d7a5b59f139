// The figures that benchmarks and long tests leave in docs/figures/, and the pages that show them. No figure is typed:
// `node scripts/figures.mjs` writes the pages anew from what was measured, and a test compares them.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..");
const FIGURES = join(ROOT, "docs", "figures");

/** What was measured on. */
export function machine() {
  const [{ model = "unknown" } = {}] = cpus();
  const memory = Math.round(totalmem() / 1024 ** 3);
  return `Node ${process.version} on ${process.platform}, ${cpus().length} cores (${model.trim()}), ${memory} GiB`;
}

/** What every measurement says of itself: where, and on which day. */
export function measured() {
  return { on: machine(), at: new Date().toISOString().slice(0, 10) };
}

/** Leaves figures in docs/figures/. */
export function keepFigures(name, figures) {
  mkdirSync(FIGURES, { recursive: true });
  writeFileSync(join(FIGURES, `${name}.json`), `${JSON.stringify(figures, null, 2)}\n`);
}

/** The pages by their paths, with the figures there are. */
export async function pages() {
  const security = readFileSync(join(ROOT, "SECURITY.md"), "utf8");
  const made = {
    "docs/performance.md": performancePage(figures("bench"), figures("readme")),
    "SECURITY.md": filled(security),
  };
  const entries = Object.entries(made).map(async ([path, text]) => {
    const file = join(ROOT, path);
    return [path, await format(text, { ...(await resolveConfig(file)), filepath: file })];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Writes the pages that show figures. */
export async function writeFigures() {
  for (const [path, text] of Object.entries(await pages())) writeFileSync(join(ROOT, path), text);
}

function figures(name) {
  const file = join(FIGURES, `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function performancePage(bench, readme) {
  const head = `# Performance

\`npm run bench\` measures all of this and writes this page; nothing in it is typed. Each × is a ratio of two
measurements of the same run, taken in turn, and counts more than the times beside it, which are one machine's.
`;
  const tried = readme === undefined ? "" : `\n## The README's Commands\n\n${readmeText(readme)}`;
  if (bench === undefined) return `${head}\nNothing was measured yet.\n${tried}`;
  const parts = bench.groups.map(
    ({ title, rows }) =>
      `## ${title}\n\n${table(
        ["", "Figure", ""],
        rows.map(({ name, value, unit, note = "" }) => [name, `${figure(value)} ${unit}`, note]),
        [false, true, false],
      )}`,
  );
  return `${head}\nMeasured on ${bench.at}: ${bench.on}.\n\n${parts.join("\n")}${tried}`;
}

/** What came of each command of the README: its time, and the last lines of its screen. */
function readmeText({ at, on, runs }) {
  const parts = runs.map(({ command, seconds, isLive, printed }) => {
    const time = `${Math.round(seconds)} s${isLive ? " until its list is there" : ""}`;
    return `\`${command}\`, ${time}:\n\n\`\`\`text\n${printed.map((line) => line.trimEnd()).join("\n")}\n\`\`\`\n`;
  });
  return `\`npm run test:readme\` runs them on a clean clone with an empty home folder. ${at}, ${on}.\n\n${parts.join("\n")}`;
}

function figure(value) {
  return value >= 100 ? String(Math.round(value)) : value.toFixed(value < 10 ? 2 : 1);
}

/** A page with the figures between its marks: `<!-- figures: name -->` and `<!-- end -->`. */
function filled(page) {
  return page.replace(/(<!-- figures: (\w+) -->\n)[^]*?(<!-- end -->)/g, (_all, start, name, end) => {
    const of = figures(name);
    return `${start}\n${of === undefined ? "Nothing was measured yet.\n" : TABLES[name](of)}\n${end}`;
  });
}

const TABLES = {
  faults: ({ on, at, rows }) =>
    `${at}, ${on}. ${sum(rows, "rounds")} rounds, ${sum(rows, "kills")} kills; ${sum(rows, "lost")} lost, ${sum(rows, "twice")} twice, ${sum(rows, "corrupt")} corrupt.\n\n${table(
      ["What was broken", "Rounds", "Kills", "Lost", "Twice", "Corrupt", "Seconds", "Seed"],
      rows.map(({ what, rounds, kills, lost, twice, corrupt, seconds, seed }) => [
        ...[what, rounds, kills, lost, twice, corrupt, Math.round(seconds)].map(cell),
        seed,
      ]),
      [false, true, true, true, true, true, true, true],
    )}`,
  fuzz: ({ on, at, rows }) =>
    `${at}, ${on}. ${rows.length} targets, ${sum(rows, "inputs")} inputs.\n\n${table(
      ["Input", "Tried", "Refused with a reason", "Seconds", "Seed"],
      rows.map(({ target, inputs, refusedWithReason, seconds, seed }) => [
        ...[target, inputs, refusedWithReason, Math.round(seconds)].map(cell),
        seed,
      ]),
      [false, true, true, true, true],
    )}`,
  mutations: ({ on, at, rows }) =>
    `${at}, ${on}: ${rows.filter(({ isCaught }) => isCaught).length} of ${rows.length} caught.\n\n${table(
      ["What was broken", "Where", "Red"],
      rows.map(({ what, file, isCaught }) => [what, `\`${file}\``, isCaught ? "yes" : "no"]),
      [false, false, false],
    )}`,
  // Its parts are parts of a part here.
  permissions: ({ on, at, table: text }) => `${at}, ${on}:\n\n${text.trim().replaceAll(/^###/gm, "####")}\n`,
};

function sum(rows, name) {
  return cell(rows.reduce((total, row) => total + row[name], 0));
}

function cell(value) {
  return typeof value === "number" ? value.toLocaleString("en-US") : String(value ?? "");
}

function table(heads, rows, isRight) {
  const line = (cells) => `| ${cells.map((each) => String(each).replaceAll("|", "\\|")).join(" | ")} |`;
  const rule = isRight.map((right) => (right ? "--:" : "---"));
  return `${[heads, rule, ...rows].map(line).join("\n")}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFigures();
