/**
 * Renders the SVG sources in assets/icons-src to the PNG files that Raycast shows:
 * icon.svg to assets/icon.png (512 px), each state-<name>.svg to assets/state-<name>.png (64 px).
 *
 * Usage: node scripts/render-icons.mjs (needs `rsvg-convert` on the PATH)
 */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const assets = fileURLToPath(new URL("../assets", import.meta.url));
const sources = join(assets, "icons-src");

const ICON_SIZE = 512;
const STATE_SIZE = 64;

async function render(file) {
  const size = file === "icon.svg" ? ICON_SIZE : STATE_SIZE;
  const output = join(assets, file.replace(/\.svg$/, ".png"));
  await run("rsvg-convert", [
    ...["--width", String(size), "--height", String(size), "--format", "png"],
    ...["--output", output, join(sources, file)],
  ]);
  console.log(`${output} (${size}×${size})`);
}

try {
  const files = (await readdir(sources)).filter((file) => /^(icon|state-[a-z-]+)\.svg$/.test(file)).sort();
  for (const file of files) await render(file);
} catch (error) {
  const missing = error.code === "ENOENT" && error.syscall?.startsWith("spawn");
  console.error(
    missing
      ? "rsvg-convert was not found. Install librsvg: `brew install librsvg` (macOS), " +
          "`apt-get install librsvg2-bin` (Debian, Ubuntu)."
      : `Rendering the icons failed: ${error.message}`,
  );
  process.exitCode = 1;
}
