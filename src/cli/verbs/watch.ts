import { follow } from "../../observe/live";
import type { Snapshot } from "../../observe/snapshot";
import { ageOf, nextAgeChange } from "../../session/age";
import { reasonOf } from "../../session/failure";
import { printable, printableJson } from "../../session/text";
import { placesOf } from "../../store/places";
import { controlWatch } from "../control-watch";
import { filterSessions } from "../filter";
import { EXIT, type CliIo, type ExitCode } from "../io";
import { snapshotJson } from "../snapshot-json";
import { labelLanguageOf } from "../signal/language";
import { listText, type ListRequest } from "./list";

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const HOME = "\u001b[H";
const CLEAR_LINE_END = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
const OTHER_SCREEN = "\u001b[?1049h";
const FIRST_SCREEN = "\u001b[?1049l";

/**
 * `agent-sessions list --watch`: the list, kept up to date until the user interrupts. On a terminal it is drawn in
 * place, on a screen of its own; with `--json` it is one snapshot a line, each time something changed; in a pipe the
 * table is printed anew.
 *
 * @param heading a line above the list
 */
export async function watch(request: ListRequest, io: CliIo, heading?: string): Promise<ExitCode> {
  const screen = io.stdout.isTerminal && !request.json ? new Screen(io) : undefined;
  let timer: NodeJS.Timeout | undefined;
  let shown = "";
  let drawing = Promise.resolve();

  const draw = (snapshot: Snapshot) => {
    drawing = drawing.then(async () => {
      if (io.interrupt.aborted) return;
      if (request.json) {
        const sessions = filterSessions(snapshot.sessions, request);
        io.stdout.write(`${printableJson(snapshotJson(snapshot, sessions, labelLanguageOf(io.environment)))}\n`);
        return;
      }
      const text = `${heading === undefined ? "" : `${heading}\n\n`}${await listText(snapshot, request, io)}`;
      if (text === shown) return;
      if (screen !== undefined) screen.show(text);
      else io.stdout.write(shown === "" ? text : `\n${text}`);
      shown = text;
    });
  };

  screen?.open();
  const places = placesOf(io.environment);
  try {
    const live = await follow(
      {
        places,
        environment: io.environment,
        control: controlWatch(places),
        ...(io.clock === undefined ? {} : { clock: io.clock }),
        ...(io.processes === undefined ? {} : { processes: io.processes }),
      },
      {
        signal: io.interrupt,
        onFailure: (error) => io.stderr.write(`agent-sessions: ${printable(reasonOf(error))}\n`),
        onSnapshot: (snapshot) => {
          draw(snapshot);
          if (screen === undefined) return;
          // Ages go on while nothing happens.
          clearTimeout(timer);
          timer = setTimeout(
            function older() {
              const now = (io.clock ?? Date.now)() / 1000;
              draw({ ...snapshot, at: now });
              timer = setTimeout(older, untilOlder(snapshot, now));
            },
            untilOlder(snapshot, snapshot.at),
          );
        },
      },
    );
    if (!io.interrupt.aborted) {
      await new Promise<void>((resolve) => io.interrupt.addEventListener("abort", () => resolve(), { once: true }));
    }
    await live.stop();
  } finally {
    clearTimeout(timer);
    await drawing;
    screen?.close();
  }
  return EXIT.ok;
}

/** Milliseconds until an age in the list reads differently. */
function untilOlder({ sessions }: Snapshot, now: number): number {
  const next = sessions.map(({ since }) => nextAgeChange(ageOf(since, now)) - ((now - since) % 1));
  return 1000 * Math.max(0.2, Math.min(60, ...next));
}

/** A screen of its own that is drawn over, so that nothing flickers. */
class Screen {
  constructor(private readonly io: CliIo) {}

  open(): void {
    this.io.stdout.write(OTHER_SCREEN + HIDE_CURSOR);
  }

  show(text: string): void {
    const rows = this.io.stdout.rows ?? Infinity;
    const lines = text.trimEnd().split("\n");
    const visible =
      lines.length <= rows ? lines : [...lines.slice(0, Math.max(1, rows - 1)), `… ${lines.length - rows + 1} more`];
    this.io.stdout.write(HOME + visible.map((line) => line + CLEAR_LINE_END).join("\r\n") + CLEAR_BELOW);
  }

  close(): void {
    this.io.stdout.write(SHOW_CURSOR + FIRST_SCREEN);
  }
}
