import type { CliIo } from "../src/cli/io";
import type { Environment, Places } from "../src/store/places";
import { environmentOf } from "./environment";

/** Surroundings of a command that keep what it wrote. */
export interface TestIo extends CliIo {
  out(): string;
  err(): string;
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
