import { terminalOfPs, terminalOfStat } from "../../src/control/agent-terminal";

/** A line of /proc/PID/stat: after the name come state, parent, group, session, terminal, foreground group. */
const stat = (state: string, group: number, device: number, foreground: number) =>
  `42 (a) b) ${state} 1 ${group} 1 ${device} ${foreground} 4194304 0 0`;

const deviceOf = (path: string) => (path === "/dev/pts/3" ? 34819 : undefined);

test("Linux: the terminal by its device, and whether the process's group is in front", () => {
  const terminal = terminalOfStat(stat("S", 42, 34819, 42), deviceOf);
  expect(terminal?.isAt("/dev/pts/3")).toBe(true);
  expect(terminal?.isAt("/dev/pts/4")).toBe(false);
  expect(terminal?.isInFront).toBe(true);
  expect(terminalOfStat(stat("S", 42, 34819, 41), deviceOf)?.isInFront).toBe(false);
  expect(terminalOfStat(stat("T", 42, 34819, 42), deviceOf)?.isInFront).toBe(false);
  expect(terminalOfStat(stat("S", 42, 34819, -1), deviceOf)?.isInFront).toBe(false);
});

test.each(["", "42 (x", stat("S", 42, 0, -1), "42 (x) S"])("%j has no terminal", (text) => {
  expect(terminalOfStat(text, deviceOf)).toBeUndefined();
});

test("ps: the same of macOS and the BSDs", () => {
  expect(terminalOfPs("  501   501 S+   ttys003\n")).toMatchObject({ path: "/dev/ttys003", isInFront: true });
  expect(terminalOfPs("  501   499 S    ttys003\n")).toMatchObject({ isInFront: false });
  expect(terminalOfPs("  501   501 T    ttys003\n")).toMatchObject({ isInFront: false });
  expect(terminalOfPs("  501   501 S+   ttys003\n")?.isAt("/dev/ttys003")).toBe(true);
  expect(terminalOfPs("  501     0 S    ??\n")).toBeUndefined();
  expect(terminalOfPs("")).toBeUndefined();
});
