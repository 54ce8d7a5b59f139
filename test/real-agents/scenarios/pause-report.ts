import type { AskReport } from "../../../src/cli/verbs/ask-sessions";
import type { Ran } from "../command";
import { Unmet } from "../wait-until";

/** What a command that asks sessions is to have printed with `--json`, and its status. */
export interface ExpectedReport {
  code: number;
  /** Of each session that was reached: the way, the steps, and the reason of the last one or the note, if any. */
  reached?: readonly { id: string; by: string; steps: string; reason?: RegExp; note?: RegExp; savedTo?: string }[];
  leftOut?: readonly { id: string; reason: RegExp }[];
  refused?: readonly { id: string; reason: RegExp }[];
}

/**
 * Compares what a command said with what it should have.
 *
 * @throws Unmet with the whole of it when it differs
 */
export function isReported({ code, stdout, stderr }: Ran, expected: ExpectedReport): void {
  const differs = (what: string): never => {
    throw new Unmet(`the command's ${what} is not as expected: status ${code}\n${stdout}${stderr}`);
  };
  if (code !== expected.code) differs("status");
  const { reached, leftOut, refused } = JSON.parse(stdout) as AskReport;
  compareIds("sessions reached", reached, expected.reached);
  for (const { id, by, steps, reason, note, savedTo } of expected.reached ?? []) {
    const each = reached.find((one) => one.id === id);
    if (each?.request.by !== by) differs("way");
    if (each?.request.steps.map(({ outcome }) => outcome).join() !== steps) differs("course");
    const last = each?.request.steps.at(-1)?.reason;
    if (reason === undefined ? last !== undefined : !reason.test(last ?? "")) differs("reason");
    if (note === undefined ? each?.note !== undefined : !note.test(each?.note ?? "")) differs("note");
    const proof = each?.request.steps.find(({ outcome }) => outcome === "saved")?.proof;
    if (proof?.file !== savedTo || (proof !== undefined && proof.lines < 1)) differs("proof");
  }
  for (const [what, found, wanted = []] of [
    ["sessions left out", leftOut, expected.leftOut],
    ["sessions refused", refused, expected.refused],
  ] as const) {
    compareIds(what, found, wanted);
    for (const { id, reason } of wanted) {
      if (!reason.test(found.find((one) => one.id === id)?.reason ?? "")) differs(`reason of ${what}`);
    }
  }

  function compareIds(what: string, found: readonly { id: string }[], wanted: readonly { id: string }[] = []): void {
    const ids = (of: readonly { id: string }[]) =>
      of
        .map(({ id }) => id)
        .sort()
        .join();
    if (ids(found) !== ids(wanted)) differs(what);
  }
}
