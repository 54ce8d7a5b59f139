import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import * as z from "zod";
import { Checks, Missed, type Outcome } from "./checks";
import { MADE_UP, MadeUpHome } from "./made-up-home";

const run = promisify(execFile);

/** One run builds nothing and waits for one look. */
const LIMIT_MS = 30_000;

interface Node {
  type: string;
  props: Record<string, unknown>;
  children: Node[];
}

const node: z.ZodType<Node> = z.lazy(() =>
  z.object({ type: z.string(), props: z.record(z.string(), z.unknown()), children: z.array(node) }),
);

/** Whether the host's package is installed in a folder. */
export function isVicinaeIn(folder: string): boolean {
  return ["@vicinae/api", "react-reconciler"].every((name) => existsSync(join(folder, "node_modules", name)));
}

/** Renders the built list through `@vicinae/api`, as Vicinae's own worker does, and looks at what crosses as JSON. */
export async function checkVicinae(folder: string, extension: string): Promise<Outcome[]> {
  const checks = new Checks("@vicinae/api");
  const home = new MadeUpHome();
  try {
    await checks.check("vici lint accepts the manifest", async () => {
      await run(process.execPath, [join(folder, "node_modules/@vicinae/api/bin/run.js"), "lint", "--src", extension]);
    });
    await checks.check("ray build makes the bundles", async () => {
      const ray = join(extension, "node_modules", "@raycast", "api", "bin", "run.js");
      await run(process.execPath, [ray, "build", "-I", "-o", "dist"], { cwd: extension });
      if (!existsSync(join(extension, "dist", "search-sessions.js"))) throw new Missed("no search-sessions.js");
    });
    let tree: Node | undefined;
    await checks.check("the list renders to JSON", async () => {
      const program = [join(process.cwd(), "test", "hosts", "vicinae-host.js"), folder, extension, "search-sessions"];
      const options = { env: home.environment, timeout: LIMIT_MS, maxBuffer: 16 * 1024 * 1024 };
      const { stdout } = await run(process.execPath, program, options);
      tree = node.parse(JSON.parse(stdout));
    });
    const rendered = tree;
    if (rendered === undefined) return checks.outcomes;
    await checks.check("with its sections, its rows and their accessories", async () => {
      const sections = all(rendered, "list-section").map(({ props, children }) => [
        props.title,
        children.filter(({ type }) => type === "list-item").map((item) => item.props.title),
      ]);
      const expected = [
        ["Needs You", [MADE_UP.waiting]],
        ["Unread Answers", [MADE_UP.unread]],
        ["Working", [MADE_UP.running]],
        ["Idle", [MADE_UP.cold]],
      ];
      if (JSON.stringify(sections) !== JSON.stringify(expected)) throw new Missed(JSON.stringify(sections));
      for (const { props } of all(rendered, "list-item")) {
        const accessories = z.array(z.looseObject({})).min(1).parse(props.accessories);
        const blank = accessories.find(({ text, tag, icon }) => [text, tag, icon].every((each) => each == null));
        if (blank !== undefined) throw new Missed(`a blank accessory in ${String(props.title)}`);
      }
    });
    await checks.check("with the actions of a row, each with a title and an icon", async () => {
      const [item] = all(rendered, "list-item");
      const found = item === undefined ? [] : all(item, "action");
      if (found.length < 5) throw new Missed(`${found.length} actions`);
      const bare = found.filter(({ props }) => typeof props.title !== "string" || props.icon == null);
      if (bare.length > 0) throw new Missed(JSON.stringify(bare));
    });
  } finally {
    home.remove();
  }
  return checks.outcomes;
}

function all(within: Node, type: string): Node[] {
  const found = within.children.flatMap((child) => all(child, type));
  return within.type === type ? [within, ...found] : found;
}
