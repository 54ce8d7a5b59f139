import type { CliIo } from "../src/cli/io";
import type { Environment, Places } from "../src/store/places";

/** Surroundings of a command that keep what it wrote. */
export interface TestIo extends CliIo {
  out(): string;
  err(): string;
}

/** The environment that points at places. */
export function environmentOf(places: Places): Record<string, string> {
  return {
    AGENT_SESSIONS_HOME: places.home,
    AGENT_SESSIONS_STATUS_DIR: places.statusDirectory,
    AGENT_SIGNAL_LIGHT_STATE_FILE: places.signalStateFile,
    LANG: "en_US.UTF-8",
  };
}

/** Surroundings without a terminal, unless the columns of one are given. */
export function cliIo(
  places: Places,
  given: Partial<Pick<CliIo, "clock" | "processes" | "interrupt">> & {
    columns?: number;
    environment?: Environment;
  } = {},
): TestIo {
  const { columns, environment = {}, ...rest } = given;
  const written = { out: "", err: "" };
  return {
    stdout: {
      write: (text) => void (written.out += text),
      isTerminal: columns !== undefined,
      ...(columns === undefined ? {} : { columns, rows: 24 }),
    },
    stderr: { write: (text) => void (written.err += text), isTerminal: columns !== undefined },
    environment: { ...environmentOf(places), ...environment },
    interrupt: new AbortController().signal,
    ...rest,
    out: () => written.out,
    err: () => written.err,
  };
}
