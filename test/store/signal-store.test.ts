import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { SessionsError } from "../../src/session/failure";
import type { SignalDocument } from "../../src/session/signal-document";
import { sendManualSignal, sendSessionSignal } from "../../src/store/send-signal";
import { changeSignals, readSignals, type SignalPlace } from "../../src/store/signal-store";
import { T } from "../session/signal-sample";
import { scratchFolder } from "../scratch";

let place: SignalPlace & { now: jest.Mock<number> };
let folder: string;

beforeEach(() => {
  folder = join(scratchFolder(), "state");
  place = {
    stateFile: join(folder, "status.json"),
    rules: { ttl: { session: 1800, completed: 30 }, eventLimit: 50 },
    now: jest.fn(() => T),
    patienceMs: 50,
    platform: "linux",
  };
});

function write(document: unknown): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(place.stateFile, JSON.stringify(document));
}

function failure(work: () => unknown): SessionsError {
  try {
    work();
  } catch (error) {
    if (error instanceof SessionsError) return error;
    throw error;
  }
  throw new Error("It did not fail");
}

const EXPIRED = {
  aggregate: "working",
  updated_at: T - 5000,
  sessions: { x: { signal: "working", updated_at: T - 5000 } },
};

test("a missing file is an empty document, and is not made by reading", () => {
  expect(readSignals(place).document).toEqual({ sessions: new Map(), events: [], extra: {} });
  expect(existsSync(folder)).toBe(false);
});

test("nothing but the document stays in its folder", () => {
  sendManualSignal(place, { signal: "working", eventId: "1" });
  expect(readdirSync(folder)).toEqual(["status.json"]);
});

test("the file is replaced, never written over: who has the old one open reads it to its end", () => {
  sendManualSignal(place, { signal: "working", eventId: "1" });
  const before = statSync(place.stateFile).ino;
  sendManualSignal(place, { signal: "done", eventId: "2" });
  expect(statSync(place.stateFile).ino).not.toBe(before);
});

test("what is ignored is not written", () => {
  write({ aggregate: "done", sessions: { x: { signal: "done", updated_at: T } } });
  const before = readFileSync(place.stateFile, "utf8");
  const sent = { sessionId: "x", signal: "thinking" as const, event: "DesktopThinking", eventId: "1" };
  expect(sendSessionSignal(place, sent).aggregate).toBe("done");
  expect(readFileSync(place.stateFile, "utf8")).toBe(before);
});

test("a signal's date is from before the wait for the lock: one that was overtaken comes too late", () => {
  write({ sessions: { x: { signal: "permission", updated_at: T + 1 } } });
  // Sent at T, while the other, sent a second later, was first at the lock.
  place.now.mockReturnValueOnce(T).mockReturnValueOnce(T + 1.5);
  const document = sendSessionSignal(place, { sessionId: "x", signal: "working", eventId: "1" });
  expect(document.sessions.get("x")?.signal).toBe("permission");
  expect(document.events).toEqual([]);
});

describe("with a lock that another process holds", () => {
  function hold(): string {
    const lock = join(folder, "state.lock.agent-sessions");
    mkdirSync(folder, { recursive: true });
    writeFileSync(lock, JSON.stringify({ token: "t", pid: 1, start: "", host: hostname() }));
    return lock;
  }

  test("writing fails in the original's words, and says who holds it", () => {
    const lock = hold();
    const { code, message } = failure(() => sendManualSignal(place, { signal: "working", eventId: "1" }));
    expect(code).toBe("locked");
    expect(message).toMatch(new RegExp(`^Cannot acquire state lock at ${lock}: errno \\d+\\. .*process 1\\b`));
    expect(existsSync(place.stateFile)).toBe(false);
  });

  test("reading shows the same as ever, with the file's own time, and keeps nothing", () => {
    hold();
    write(EXPIRED);
    const { document } = readSignals(place);
    expect([document.aggregate, document.sessions.size, document.updatedAt]).toEqual(["stale", 0, T - 5000]);
    expect(JSON.parse(readFileSync(place.stateFile, "utf8"))).toEqual(EXPIRED);
  });

  test("reading what needs no change does not ask for it", () => {
    hold();
    write({ aggregate: "done", sessions: { x: { signal: "done", updated_at: T } } });
    place.patienceMs = 60_000;
    expect(readSignals(place).document.aggregate).toBe("done");
  });

  test("a lock whose holder died is taken over", () => {
    const lock = join(folder, "state.lock.agent-sessions");
    mkdirSync(folder, { recursive: true });
    writeFileSync(lock, JSON.stringify({ token: "t", pid: 2 ** 22 + 1, start: "1", host: hostname() }));
    expect(sendManualSignal(place, { signal: "done", eventId: "1" }).aggregate).toBe("done");
    expect(readdirSync(folder)).toEqual(["status.json"]);
  });
});

test("what reading changes is decided under the lock, by what the file holds then", () => {
  write(EXPIRED);
  // Another process revives the session between the first look and the lock.
  place.now
    .mockImplementationOnce(() => T)
    .mockImplementationOnce(() => {
      write({ aggregate: "working", sessions: { x: { signal: "working", updated_at: T } } });
      return T;
    });
  expect(readSignals(place).document.aggregate).toBe("working");
});

test("the original's lock file is left alone: it is always there and says nothing", () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "state.lock"), "");
  sendManualSignal(place, { signal: "done", eventId: "1" });
  expect(readdirSync(folder).sort()).toEqual(["state.lock", "status.json"]);
});

test("on macOS the original's lock is held as well, and its file stays", () => {
  place.platform = "darwin";
  let during: string[] = [];
  changeSignals(place, (document: SignalDocument) => {
    during = readdirSync(folder).sort();
    return { outcome: "changed", document };
  });
  expect(during).toEqual(["state.lock", "state.lock.agent-sessions"]);
  expect(readdirSync(folder).sort()).toEqual(["state.lock", "status.json"]);
  expect(statSync(join(folder, "state.lock")).mode & 0o777).toBe(0o600);
});

test("what goes wrong under the lock is told as it is, and the lock is let go", () => {
  expect(() =>
    changeSignals(place, () => {
      throw new Error("mine");
    }),
  ).toThrow("mine");
  expect(readdirSync(folder)).toEqual([]);
});
