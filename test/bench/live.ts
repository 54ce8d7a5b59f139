import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { follow } from "../../src/observe/live";
import { median, type Row } from "./measure";

/** How long after a hook ran an open list shows what it reported. */
export async function benchLive(rounds: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "agent-sessions-bench-"));
  const places = {
    home: join(folder, "home"),
    statusDirectory: join(folder, "status"),
    signalStateFile: join(folder, "signal", "status.json"),
  };
  mkdirSync(join(places.home, "inbox"), { recursive: true, mode: 0o700 });
  const times: number[] = [];
  let shown: (() => void) | undefined;
  let wanted = "";
  const live = await follow(
    { places },
    {
      onSnapshot: ({ sessions }) => {
        if (sessions.some(({ title }) => title === wanted)) shown?.();
      },
    },
  );
  try {
    for (let round = 0; round < rounds; round += 1) {
      wanted = `Prompt ${round}`;
      const isShown = new Promise<void>((done) => (shown = done));
      const payload = { session_id: `s${round}`, hook_event_name: "UserPromptSubmit", prompt: wanted };
      execFileSync("/bin/sh", [resolve("assets/bin/record"), "claude", "UserPromptSubmit"], {
        input: JSON.stringify(payload),
        env: { PATH: process.env.PATH, AGENT_SESSIONS_HOME: places.home },
      });
      const begun = process.hrtime.bigint();
      await isShown;
      times.push(Number(process.hrtime.bigint() - begun) / 1e6);
    }
  } finally {
    await live.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  const sorted = [...times].sort((one, other) => one - other);
  return [
    {
      name: "from the end of a hook to the open list",
      value: median(rounds, (round) => times[round] ?? 0),
      unit: "ms",
    },
    { name: "the slowest of them", value: sorted.at(-1) ?? Number.NaN, unit: "ms", note: `${rounds} hooks` },
  ];
}
