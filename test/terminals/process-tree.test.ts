import { processesOfPs, processOfStat, ProcessTree } from "../../src/terminals/process-tree";
import { line } from "./fake-machine";

describe("the tree", () => {
  const tree = new ProcessTree(line("/dev/pts/4", [10, "claude"], [9, "bash"], [8, "kitty"]));

  test("gives the line of a process, from the inside out", () => {
    expect(tree.line(10).map(({ pid }) => pid)).toEqual([10, 9, 8]);
    expect(tree.line(77)).toEqual([]);
  });

  test("a table that was read while it changed does not go round", () => {
    const circle = new ProcessTree([
      { pid: 2, parent: 3, command: "a" },
      { pid: 3, parent: 2, command: "b" },
    ]);
    expect(circle.line(2).map(({ pid }) => pid)).toEqual([2, 3]);
  });

  test.each([
    ["started before it was known", 100, "same"],
    ["is within what clocks differ by", 98.5, "same"],
    ["started after it was known: its number is used again", 97, "another"],
  ])("a process that %s", (_name, knownAt, identification) => {
    expect(tree.identify({ pid: 10, knownAt })).toBe(identification);
  });

  test("a process that does not run, and one whose start nobody tells", () => {
    expect(tree.identify({ pid: 11, knownAt: 1 })).toBe("gone");
    expect(new ProcessTree([{ pid: 5, parent: 1, command: "x" }]).identify({ pid: 5, knownAt: 1 })).toBe("same");
  });
});

// Columns as macOS and procps print them: `pid=,ppid=,tty=,lstart=,comm=` in the C locale and UTC.
test("ps: with a device, without one, and with blanks in the path", () => {
  const output = `    1     0 ??       Sun Nov 29 08:00:00 2026     /sbin/launchd
 4242  4100 ttys003  Mon Nov 30 10:36:34 2026     claude
 4100     1 ??       Mon Nov 30 10:30:00 2026     /Applications/Visual Studio Code.app/Contents/MacOS/Code Helper
  900     1 ?        Mon Nov  2 10:30:00 2026 sshd
  901   900 pts/4    Mon Nov 30 10:30:00 2026 -bash
not a line
`;
  const at = (text: string) => Date.parse(`${text}Z`) / 1000;
  expect(processesOfPs(output)).toEqual([
    { pid: 1, parent: 0, command: "/sbin/launchd", startedAt: at("2026-11-29T08:00:00") },
    { pid: 4242, parent: 4100, tty: "/dev/ttys003", command: "claude", startedAt: at("2026-11-30T10:36:34") },
    {
      pid: 4100,
      parent: 1,
      command: "/Applications/Visual Studio Code.app/Contents/MacOS/Code Helper",
      startedAt: at("2026-11-30T10:30:00"),
    },
    { pid: 900, parent: 1, command: "sshd", startedAt: at("2026-11-02T10:30:00") },
    { pid: 901, parent: 900, tty: "/dev/pts/4", command: "-bash", startedAt: at("2026-11-30T10:30:00") },
  ]);
});

// The fields of proc(5): pid (comm) state ppid pgrp session tty_nr … and as the 22nd the start in ticks.
function stat(fields: {
  pid?: number;
  comm?: string;
  state?: string;
  parent?: number;
  device?: number;
  ticks?: number;
}) {
  const { pid = 10, comm = "claude", state = "S", parent = 9, device = 0, ticks = 5000 } = fields;
  return `${pid} (${comm}) ${state} ${parent} 10 10 ${device} 10 4194304 1 2 3 4 5 6 7 8 20 0 1 0 ${ticks} 100 200`;
}

test.each([
  [34816, "/dev/pts/0"],
  [34820, "/dev/pts/4"],
  // Minor numbers of more than eight bits: the upper twelve stand above the major.
  [0x10008801, "/dev/pts/65537"],
  [1025, "/dev/tty1"],
  [0, undefined],
])("stat: device %d is %s", (device, tty) => {
  expect(processOfStat(stat({ device }))?.tty).toBe(tty);
});

test("stat: a name may hold anything; the start counts from the machine's", () => {
  expect(processOfStat(stat({ comm: "a) S 1 (b c", ticks: 250 }), 1000)).toEqual({
    pid: 10,
    parent: 9,
    command: "a) S 1 (b c",
    startedAt: 1002.5,
  });
});

test.each(["", "10", "x (y) S 1 2", stat({ state: "Z" }), stat({ state: "X" })])("stat: no process in %j", (text) => {
  expect(processOfStat(text, 1000)).toBeUndefined();
});
