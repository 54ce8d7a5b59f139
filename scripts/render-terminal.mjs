// Renders media/list.png: the demo's list in a real terminal (tmux), as a page, through headless Chromium.
// Needs tmux and chromium. Run: node scripts/render-terminal.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const COLUMNS = 108;
const ROWS = 13;
/** Seconds until the demo stands still. */
const PLAYED = 27;

const COLORS = { 31: "#ff6b6b", 32: "#51cf66", 33: "#fcc419", 34: "#4dabf7", 35: "#cc8cff", 90: "#868e96" };

const folder = mkdtempSync(join(tmpdir(), "agent-sessions-picture-"));
const tmux = (...argv) => execFileSync("tmux", ["-S", join(folder, "tmux"), ...argv], { encoding: "utf8" });

try {
  const environment = ["HOME=" + folder, "AGENT_SIGNAL_LIGHT_STATE_FILE=" + join(folder, "none", "status.json")];
  tmux(
    "new-session",
    "-d",
    "-x",
    String(COLUMNS),
    "-y",
    String(ROWS),
    "env",
    ...environment,
    process.execPath,
    "scripts/start.mjs",
  );
  await delay(PLAYED * 1000);
  const screen = tmux("capture-pane", "-e", "-p");
  tmux("kill-server");
  writeFileSync(join(folder, "page.html"), page(screen));
  execFileSync("chromium", [
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
    `--window-size=${COLUMNS * 9 + 80},${ROWS * 22 + 110}`,
    `--screenshot=${join(process.cwd(), "media", "list.png")}`,
    `file://${join(folder, "page.html")}`,
  ]);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function page(screen) {
  return `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; padding: 24px; background: #e9ecef; }
.window { background: #16181d; border-radius: 10px; padding: 14px 20px 18px; box-shadow: 0 8px 24px #0004; }
.dots { height: 22px; } .dots i { display: inline-block; width: 12px; height: 12px; border-radius: 6px; margin-right: 8px; background: #3a3f47; }
pre { margin: 0; color: #e9ecef; font: 15px/22px "DejaVu Sans Mono", monospace; }
</style><div class="window"><div class="dots"><i></i><i></i><i></i></div><pre>${html(screen)}</pre></div>`;
}

/** A captured screen as HTML: colors and bold; everything else of the terminal's language is left out. */
function html(screen) {
  let open = false;
  // eslint-disable-next-line no-control-regex
  const parts = screen.trimEnd().split(/\u001b\[([\d;]*)m/);
  return parts
    .map((part, index) => {
      if (index % 2 === 0) return part.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      const codes = part.split(";").map(Number);
      const color = codes.map((code) => COLORS[code]).find((each) => each !== undefined);
      const bold = codes.includes(1) ? "font-weight:bold;" : "";
      const close = open ? "</span>" : "";
      open = color !== undefined || bold !== "";
      return open ? `${close}<span style="${color === undefined ? "" : `color:${color};`}${bold}">` : close;
    })
    .join("");
}
