import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import fc from "fast-check";
import {
  parseCim,
  parsePs,
  processListing,
  runListing,
  secondsOfFileTime,
  secondsOfLstart,
  wordsOf,
} from "../../src/store/process-list";

/** As macOS prints it under `LC_ALL=C TZ=UTC`: days and hours are padded, commands hold anything. */
const PS = `    1     0 Ss   Mon Nov 30 08:00:01 2026     /sbin/launchd
  501     1 S    Mon Nov 30 09:12:44 2026     /Applications/iTerm.app/Contents/MacOS/iTerm2
  620   501 Ss   Tue Dec  1 00:00:07 2026     login -fp dev
13582   620 S+   Tue Dec  1 10:37:20 2026     claude --resume 12:30:00 2026  x
13590 13582 Z    Tue Dec  1 10:37:21 2026     (sh)
99999   620 R+   Tue Dec  1 10:37:22 2026     
garbage
`;

test("ps's lines: the number, the parent, the start, the command as it is", () => {
  expect(parsePs(PS)).toEqual([
    {
      pid: 1,
      parent: 0,
      start: "Mon Nov 30 08:00:01 2026",
      startedAt: Date.UTC(2026, 10, 30, 8, 0, 1) / 1000,
      command: "/sbin/launchd",
      hasEnded: false,
    },
    {
      pid: 501,
      parent: 1,
      start: "Mon Nov 30 09:12:44 2026",
      startedAt: Date.UTC(2026, 10, 30, 9, 12, 44) / 1000,
      command: "/Applications/iTerm.app/Contents/MacOS/iTerm2",
      hasEnded: false,
    },
    {
      pid: 620,
      parent: 501,
      start: "Tue Dec 1 00:00:07 2026",
      startedAt: Date.UTC(2026, 11, 1, 0, 0, 7) / 1000,
      command: "login -fp dev",
      hasEnded: false,
    },
    {
      pid: 13582,
      parent: 620,
      start: "Tue Dec 1 10:37:20 2026",
      startedAt: Date.UTC(2026, 11, 1, 10, 37, 20) / 1000,
      command: "claude --resume 12:30:00 2026  x",
      hasEnded: false,
    },
    {
      pid: 13590,
      parent: 13582,
      start: "Tue Dec 1 10:37:21 2026",
      startedAt: Date.UTC(2026, 11, 1, 10, 37, 21) / 1000,
      command: "(sh)",
      hasEnded: true,
    },
    {
      pid: 99999,
      parent: 620,
      start: "Tue Dec 1 10:37:22 2026",
      startedAt: Date.UTC(2026, 11, 1, 10, 37, 22) / 1000,
      command: "",
      hasEnded: false,
    },
  ]);
});

test("ps in a language it should not have been asked in gives nothing, not nonsense", () => {
  expect(parsePs("13582 620 S+ mar.  1 déc. 10:37:20 2026 claude")).toEqual([]);
});

test.each([
  ["Thu Jan  1 00:00:00 1970", 0],
  ["Sun Feb 29 23:59:59 2032", Date.UTC(2032, 1, 29, 23, 59, 59) / 1000],
  ["1131944", undefined],
  ["", undefined],
  ["Mon Foo 30 08:00:01 2026", undefined],
])("the start %j", (text, seconds) => {
  expect(secondsOfLstart(text)).toBe(seconds);
});

/** 2026-11-30T10:37:20.1234567Z as a file time: what .NET's ToFileTimeUtc gives for it. */
const FILE_TIME = 11_644_473_600n * 10_000_000n + BigInt(Date.UTC(2026, 10, 30, 10, 37, 20)) * 10_000n + 1_234_567n;

describe("what PowerShell makes of Win32_Process", () => {
  const row = (fields: object) => ({
    ProcessId: 4711,
    ParentProcessId: 8,
    Name: "claude.exe",
    CommandLine: null,
    ...fields,
  });

  test("a list; a line that is hidden leaves the name", () => {
    const output = JSON.stringify([
      row({ ProcessId: 0, ParentProcessId: 0, Name: "System Idle Process", CreationDate: null }),
      row({ CreationDate: String(FILE_TIME), CommandLine: '"C:\\Program Files\\nodejs\\node.exe" cli.js' }),
    ]);
    expect(parseCim(`\ufeff${output}\r\n`)).toEqual([
      { pid: 0, parent: 0, command: "System Idle Process", hasEnded: false },
      {
        pid: 4711,
        parent: 8,
        start: String(FILE_TIME),
        startedAt: expect.closeTo(Date.UTC(2026, 10, 30, 10, 37, 20) / 1000 + 0.123, 2),
        command: '"C:\\Program Files\\nodejs\\node.exe" cli.js',
        hasEnded: false,
      },
    ]);
  });

  test.each([
    ["its version 5", "/Date(1796035040123)/"],
    ["its version 7", "2026-11-30T10:37:20.123Z"],
  ])("a date as %s writes it", (_version, CreationDate) => {
    const [process] = parseCim(JSON.stringify([row({ CreationDate })]));
    expect(process?.startedAt).toBeCloseTo(1796035040.123, 3);
    expect(BigInt(process?.start ?? 0) / 10_000n).toBe(FILE_TIME / 10_000n);
  });

  test("the only one, by itself", () => {
    expect(parseCim(JSON.stringify(row({})))).toMatchObject([{ pid: 4711, command: "claude.exe" }]);
  });

  test("rows of another shape are left out", () => {
    expect(parseCim('[null, 5, {}, {"ProcessId":"4"}, {"ProcessId":6,"CreationDate":{"x":1}}]')).toEqual([
      { pid: 6, parent: 0, command: "", hasEnded: false },
    ]);
  });

  test("what is no JSON throws, for the caller to name", () => {
    expect(() => parseCim("Get-CimInstance : Access denied")).toThrow();
  });
});

test("the file time's epoch is the year 1601", () => {
  expect(secondsOfFileTime(0n)).toBe(Date.UTC(1601, 0, 1) / 1000);
});

test.each([
  ["claude --resume x", ["claude", "--resume", "x"]],
  [
    '"C:\\Program Files\\a b\\codex.exe" exec "two words" end',
    ["C:\\Program Files\\a b\\codex.exe", "exec", "two words", "end"],
  ],
  ['--name="a b" c', ["--name=a b", "c"]],
  ["", []],
  ["   ", []],
])("the words of %j", (command, words) => {
  expect(wordsOf(command)).toEqual(words);
});

test("no output makes the parsing of ps fail", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom(...PS.split("\n")))), (lines) =>
      parsePs(lines.join("\n")).every(({ pid, parent }) => Number.isInteger(pid) && Number.isInteger(parent)),
    ),
  );
});

test("Linux is not asked for a list; macOS is by ps in English and UTC, Windows by PowerShell without a profile", () => {
  expect(processListing("linux")).toBeUndefined();
  expect(processListing("darwin")).toMatchObject({ program: "/bin/ps", environment: { LC_ALL: "C", TZ: "UTC" } });
  expect(processListing("win32")?.program).toMatch(/powershell\.exe$/);
  expect(processListing("win32")?.parameters).toEqual(
    expect.arrayContaining(["-NoProfile", "-NonInteractive", expect.stringContaining("Win32_Process")]),
  );
});

const hasPs = process.platform !== "win32" && existsSync("/bin/ps");

(hasPs ? test : test.skip)("the real ps (needs /bin/ps) lists this process with its parent and its start", async () => {
  const listing = processListing("darwin");
  if (listing === undefined) throw new Error("no listing");
  const all = listing.parse(await runListing(listing));
  const own = all.find(({ pid }) => pid === process.pid);
  expect(own).toMatchObject({ parent: process.ppid, hasEnded: false });
  expect(own?.command).toContain("jest");
  // ps reckons with the age in whole seconds.
  expect(Math.abs((own?.startedAt ?? 0) - (Date.now() / 1000 - process.uptime()))).toBeLessThan(3);
  const line = execFileSync("/bin/ps", ["-o", "lstart=", "-p", String(process.pid)], {
    encoding: "utf8",
    env: { LC_ALL: "C", TZ: "UTC" },
  });
  expect(own?.start).toBe(line.trim().replace(/\s+/g, " "));
});
