// Renders metadata/agent-sessions-1..4.png, the pictures of the store: the commands are rendered over made-up sessions
// by test/host, drawn as a page that looks like a launcher's window, and photographed by headless Chromium. They are
// renderings, not captures. Run: node scripts/render-screenshots.mjs (needs chromium; CHROMIUM names another one)
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";

/** What the store asks for, in pixels; a page is drawn at half of it. */
const WIDTH = 2000;
const HEIGHT = 1250;
const PICTURES = ["agent-sessions-1", "agent-sessions-2", "agent-sessions-3", "agent-sessions-4"];

const chromium = process.env.CHROMIUM ?? "chromium";

/** The commands' launcher is the one of the tests. */
const launcher = {
  name: "launcher",
  setup({ onResolve }) {
    onResolve({ filter: /^@raycast\/api$/ }, () => ({ path: resolve("test/host/raycast-api.tsx") }));
  },
};

await build({
  entryPoints: ["test/hosts/pictures/main.ts"],
  outfile: "build/pictures/main.js",
  bundle: true,
  platform: "node",
  target: "node20",
  external: ["@raycast/api/package.json"],
  plugins: [launcher],
  // The manifest and the pictures are read from where the sources lie.
  define: { __dirname: JSON.stringify(resolve("test/host")) },
  logLevel: "warning",
});

const folder = mkdtempSync(join(tmpdir(), "agent-sessions-pictures-"));
mkdirSync("metadata", { recursive: true });
try {
  const environment = { PATH: process.env.PATH, LANG: "en_US.UTF-8", TZ: "UTC", HOME: folder };
  execFileSync(process.execPath, ["build/pictures/main.js", folder], { env: environment, stdio: "inherit" });
  for (const name of PICTURES) {
    const picture = join("metadata", `${name}.png`);
    photograph(join(folder, `${name}.html`), resolve(picture));
    const [width, height] = sizeOf(picture);
    if (width !== WIDTH || height !== HEIGHT) throw new Error(`${picture} is ${width}×${height}`);
    console.log(`${picture} (${width}×${height})`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function photograph(page, picture) {
  execFileSync(
    chromium,
    [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      `--user-data-dir=${join(folder, "profile")}`,
      "--force-device-scale-factor=2",
      "--hide-scrollbars",
      // Else a tile that is not drawn yet may be missing in the picture.
      "--run-all-compositor-stages-before-draw",
      "--virtual-time-budget=2000",
      `--window-size=${WIDTH / 2},${HEIGHT / 2}`,
      `--screenshot=${picture}`,
      `file://${page}`,
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
}

/** A PNG's width and height: they stand in its first chunk. */
function sizeOf(picture) {
  const bytes = readFileSync(picture);
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}
