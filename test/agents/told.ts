import type { HookSetting } from "../../src/session/mapping";
import { mapperOf } from "../../src/agents/registry";
import { reportOf, type SessionRecord } from "../../src/session/record";
import { reduce } from "../../src/session/reduce";
import type { SessionReport } from "../../src/session/report";

/** One call of an agent's hook: its payload, and what it knew beside it. */
export interface Call extends Partial<HookSetting> {
  payload?: unknown;
}

/** What a payload means: session, event name and what happened, without the time. */
export function told(agent: string, { payload, ...setting }: Call): Record<string, unknown> {
  const mapped = mapperOf(agent)(payload, { at: 100, env: {}, ...setting });
  if (mapped.outcome !== "event") return { ...mapped };
  const { at, name, ...happened } = mapped.event;
  expect(at).toBe(setting.at ?? 100);
  return { session: mapped.identity.sessionId, name, ...happened };
}

/** The course of one session through calls a second apart: its state after each that says something. */
export function statesOf(agent: string, calls: readonly Call[]): string[] {
  return reportsOf(agent, calls).map(({ state }) => state);
}

/** What is reported after each call that says something. */
export function reportsOf(agent: string, calls: readonly Call[]): SessionReport[] {
  let record: SessionRecord | undefined;
  const reports: SessionReport[] = [];
  calls.forEach(({ payload, ...setting }, index) => {
    const mapped = mapperOf(agent)(payload, { at: 100 + index, env: {}, ...setting });
    if (mapped.outcome === "refused") throw new Error(mapped.reason);
    if (mapped.outcome === "ignored") return;
    record = reduce(record, mapped.identity, mapped.event);
    reports.push(reportOf(record));
  });
  return reports;
}
