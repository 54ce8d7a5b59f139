import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { segmentOf } from "../../../src/cli/bars/segment";
import { escapeTmux, tmuxText } from "../../../src/cli/bars/tmux";
import { printable } from "../../../src/session/text";
import { propertyRuns } from "../../property-runs";
import { scratchFolder } from "../../scratch";
import { hostileSnapshot, hostileText, isCalm, session, sessionsOf, SIZES, snapshotOf } from "./snapshots";

const PLAIN = { always: false, short: false, title: false };

/** What tmux shows: `##` is a `#`, `#[…]` a style of tmux(1); any other `#` means something, and fails. */
function shown(format: string): string {
  return format.replace(/##|#\[([^\]]*)\]|#./gu, (whole, style: string | undefined) => {
    if (whole === "##") return "#";
    if (style === undefined) throw new Error(`not plain: ${whole}`);
    for (const part of style.split(",")) expect(part).toMatch(/^(default|bold|fg=(red|green|blue|magenta|yellow))$/);
    return "";
  });
}

test("the check itself refuses what tmux would act on", () => {
  expect(() => shown("#(date)")).toThrow("not plain");
  expect(() => shown("#[fg=plaid]")).toThrow();
});

test.each(SIZES)("%i sessions are one line", (count) => {
  const text = tmuxText(segmentOf(snapshotOf(sessionsOf(count)), PLAIN), true);
  expect(text).not.toContain("\n");
  expect(text === "").toBe(count === 0);
  expect(shown(text)).toBe(tmuxText(segmentOf(snapshotOf(sessionsOf(count)), PLAIN), false));
});

test("colors are tmux's styles, each ended", () => {
  const segment = segmentOf(snapshotOf([session("waiting", "a", { title: "Fix #12" }), session("working", "b")]), {
    ...PLAIN,
    title: true,
  });
  expect(tmuxText(segment, true)).toBe("#[fg=red,bold]1 needs you#[default], #[fg=blue]1 working#[default]: Fix ##12");
  expect(tmuxText(segment, false)).toBe("1 needs you, 1 working: Fix ##12");
});

test("a text shows as it is, whatever it holds", () => {
  fc.assert(
    fc.property(hostileText, (text) => {
      expect(shown(escapeTmux(text))).toBe(printable(text));
    }),
    propertyRuns(500),
  );
});

test("no title breaks the format", () => {
  fc.assert(
    fc.property(hostileSnapshot, (snapshot) => {
      const text = tmuxText(segmentOf(snapshot, { ...PLAIN, title: true }), true);
      shown(text);
      expect(text).not.toContain("\n");
      expect(isCalm(text)).toBe(true);
    }),
    propertyRuns(300),
  );
});

const withTmux = spawnSync("tmux", ["-V"]).status === 0 ? test : test.skip;

withTmux(
  "tmux itself shows hostile titles as they are, and runs nothing (skipped without tmux)",
  async () => {
    const folder = scratchFolder();
    const socket = `agent-sessions-bars-${process.pid}`;
    const titles = ["#(touch ran)", "#[fg=red]x", "##[bold]", "#{pid} #S", "a # b", "%H %%", "x,#}", "end#"];
    writeFileSync(join(folder, "lines"), titles.map((each) => `${escapeTmux(each)}#[default]|`).join(""));
    const tmux = (...argv: string[]) =>
      execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...argv], {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: process.env.PATH, TERM: "xterm", LANG: "C.UTF-8" },
      });
    try {
      // A server draws its status line for a client only: the outer one is the inner one's client.
      const inner = `tmux -L ${socket}-in -f ${join(folder, "conf")} new-session`;
      writeFileSync(
        join(folder, "conf"),
        `set -g status-left ""\nset -g window-status-current-format ""\nset -g status-interval 1\n` +
          `set -g status-right-length 200\nset -g status-right "<#(cat ${join(folder, "lines")})>"\n`,
      );
      tmux("new-session", "-d", "-x", "150", "-y", "5", `env -u TMUX ${inner}`);
      let line = "";
      for (let tries = 0; tries < 100 && !line.includes("<#"); tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        line = tmux("capture-pane", "-p").trimEnd().split("\n").at(-1) ?? "";
      }
      expect(line.trim()).toBe(`<${titles.map((each) => `${each}|`).join("")}>`);
      expect(spawnSync("test", ["-e", join(folder, "ran")]).status).toBe(1);
    } finally {
      spawnSync("tmux", ["-L", `${socket}-in`, "kill-server"]);
      spawnSync("tmux", ["-L", socket, "kill-server"]);
    }
  },
  30_000,
);
