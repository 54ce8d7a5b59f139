import fc from "fast-check";
import { decodeClaudeAgents } from "../../src/files/claude-agents-json";

const CONFIG = "/home/dev/.claude";

/** What version 2.1.332 printed. */
const PRINTED = `[
  {
    "pid": 13582,
    "cwd": "/home/dev/work",
    "kind": "interactive",
    "startedAt": 1796035103054,
    "sessionId": "fb457539-318d-4953-8da8-eb03a95b3f38",
    "name": "work-bd",
    "status": "idle"
  },
  {
    "pid": 20733,
    "id": "0e8b3ca4",
    "cwd": "/home/dev/work",
    "kind": "background",
    "startedAt": 1796035128036,
    "sessionId": "0e8b3ca4-77b1-4273-a9b0-049d7b8ee250",
    "name": "mock side answer",
    "status": "idle",
    "state": "working"
  }
]
`;

const INTERACTIVE = {
  agent: "claude",
  sessionId: "fb457539-318d-4953-8da8-eb03a95b3f38",
  pid: 13582,
  status: "idle",
  startedAt: 1796035103.054,
  cwd: "/home/dev/work",
  name: "work-bd",
  kind: "interactive",
  configDirectory: CONFIG,
};

const BACKGROUND = {
  agent: "claude",
  sessionId: "0e8b3ca4-77b1-4273-a9b0-049d7b8ee250",
  pid: 20733,
  status: "idle",
  startedAt: 1796035128.036,
  cwd: "/home/dev/work",
  name: "mock side answer",
  kind: "background",
  jobId: "0e8b3ca4",
  configDirectory: CONFIG,
};

test("the sessions that were printed; a worker's status wins over its job's state", () => {
  expect(decodeClaudeAgents(PRINTED, CONFIG)).toEqual({
    outcome: "entries",
    entries: [INTERACTIVE, BACKGROUND],
    findings: [],
  });
});

test("none is an answer, too", () => {
  expect(decodeClaudeAgents("[]\n", CONFIG)).toEqual({ outcome: "entries", entries: [], findings: [] });
});

test("a notice before and after the list is passed over", () => {
  const decoded = decodeClaudeAgents(`Update available: [2.2.0]\n${PRINTED}Done.\n`, CONFIG);
  expect(decoded).toMatchObject({ outcome: "entries", entries: [INTERACTIVE, BACKGROUND] });
});

test.each<[state: string, status: string | undefined]>([
  ["working", "busy"],
  ["blocked", "waiting"],
  ["done", "idle"],
  ["failed", undefined],
  ["stopped", undefined],
  ["constructor", undefined],
])("a job without a worker that is %s has the status %s", (state, status) => {
  const decoded = decodeClaudeAgents(JSON.stringify([{ sessionId: "s", id: "j", state }]), CONFIG);
  expect(decoded).toMatchObject({ outcome: "entries", entries: [{ jobId: "j" }] });
  if (decoded.outcome === "entries") expect(decoded.entries[0]?.status).toBe(status);
});

test("what is broken is left out and named, the rest counts", () => {
  const decoded = decodeClaudeAgents(
    '[5, {"pid": 1}, {"sessionId": "s", "pid": "x", "waitingFor": "dialog open"}]',
    CONFIG,
  );
  expect(decoded).toEqual({
    outcome: "entries",
    entries: [{ agent: "claude", sessionId: "s", waitingFor: "dialog open", configDirectory: CONFIG }],
    findings: [
      { field: "[0]", reason: "is not a JSON object; left out", outcome: "repaired" },
      { field: "[1].sessionId", reason: "is missing; left out", outcome: "repaired" },
      { field: "[2].pid", reason: expect.stringMatching(/left out$/), outcome: "repaired" },
    ],
  });
});

test.each(["", "  \n", "Not logged in", '{"sessionId":"s"}', "[", "[1", "null"])("%j is no list", (output) => {
  expect(decodeClaudeAgents(output, CONFIG)).toMatchObject({
    outcome: "refused",
    reason: expect.stringMatching(/^printed /),
  });
});

test("whatever is printed, the answer is a list or a reason", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (output) => {
      const decoded = decodeClaudeAgents(output, CONFIG);
      return decoded.outcome === "refused"
        ? decoded.reason !== ""
        : decoded.entries.every(({ sessionId }) => sessionId);
    }),
  );
});
