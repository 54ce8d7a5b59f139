import type { DeliveryWay, RequestKind, RequestOutcome } from "../session/request";
import { lastStep } from "../session/request-progress";
import { requestText } from "../session/request-text";
import { printable } from "../session/text";
import type { AskReport } from "./verbs/ask-sessions";

/** What was done, for the sessions that were reached; whether they do it is told by the outcome. */
const DONE: Readonly<Record<RequestKind, string>> = {
  save: "Asked to save",
  "save-restart": "Asked to save and start fresh",
  "save-auto": "Asked to save, start fresh and carry on",
  cancel: "Asked to cancel",
  interrupt: "Asked to stop",
  prompt: "Sent",
};

const BY: Readonly<Record<DeliveryWay, string>> = {
  plugin: "by its plugin",
  "stop-hook": "at the end of its turn",
  "codex-queue": "by Codex's queue",
  opencode: "by its server",
  terminal: "in its terminal",
};

/** Whom a request reached, whom not, and why: a heading a group, a line a session. */
export function askText({ kind, reached, leftOut, refused }: AskReport): string {
  const groups: [heading: string, lines: string[]][] = [
    [
      DONE[kind],
      reached.map(({ id, title, request, note }) => {
        // What was taken back went no way.
        const by = request.by === undefined || isTakenBack(request) ? [] : [BY[request.by]];
        const step = lastStep(request).outcome === "queued" ? [] : [requestText(request)];
        return line(id, title, [...by, ...step, ...(note === undefined ? [] : [note])].join("; "));
      }),
    ],
    ["Left out", leftOut.map(({ id, title, reason }) => line(id, title, reason))],
    ["Not reached", refused.map(({ id, title, reason }) => line(id, title, reason))],
  ];
  const shown = groups.filter(([, lines]) => lines.length > 0);
  if (shown.length === 0) return "There is no open session.\n";
  return shown.map(([heading, lines]) => `${heading}:\n${lines.join("")}`).join("");
}

function isTakenBack(request: RequestOutcome): boolean {
  return lastStep(request).outcome === "cancelled";
}

/** A step of a request that is followed. */
export function stepText({ id, request }: AskReport["reached"][number]): string {
  const { proof } = lastStep(request);
  const where =
    proof === undefined ? "" : ` (${proof.lines === 1 ? "1 line" : `${proof.lines} lines`} in ${proof.file})`;
  return `${printable(`${id}: ${requestText(request)}${where}`)}\n`;
}

function line(id: string, title: string, what: string): string {
  return `  ${printable(`${id}  ${title}: ${what}`)}\n`;
}
