import * as fc from "fast-check";
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { ControlFolder, idNamed, privacyRefusal } from "../../src/control/control-folder";
import { SessionsError } from "../../src/session/failure";
import { propertyRuns } from "../property-runs";
import { scratchFolder } from "../scratch";

let control: ControlFolder;

beforeEach(() => {
  control = new ControlFolder(join(scratchFolder(), "home"));
});

test("things lie where docs/control.md has them", () => {
  const session = { agent: "claude", sessionId: "a b/.." };
  expect(relative(control.home, control.requests(session))).toBe(join("control", "claude", "a%20b%2F.."));
  expect(relative(control.home, control.stopAnswer(session))).toBe(join("control", "stop", "claude", "a%20b%2F.."));
  expect(relative(control.home, control.pluginMark(session))).toBe(join("plugin", "a%20b%2F...json"));
});

test.each(["stop", "..", ".", "", "a/b", "Claude", "x".repeat(33), "a\0", ".hidden"])(
  "an agent called %j has no folder",
  (agent) => {
    expect(() => control.requests({ agent, sessionId: "s" })).toThrow(SessionsError);
    expect(() => control.stopAnswer({ agent, sessionId: "s" })).toThrow(SessionsError);
  },
);

test("whatever an id is, its files lie in their folder, and the folder's name gives the id", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 70 }), fc.string({ maxLength: 40 }), (sessionId, agent) => {
      try {
        const folder = control.requests({ agent, sessionId });
        expect(resolve(folder)).toBe(folder);
        expect(dirname(folder)).toBe(join(control.path, agent));
        expect(relative(control.path, folder).split(sep)).toHaveLength(2);
        expect(idNamed(relative(dirname(folder), folder))).toBe(sessionId.toWellFormed());
      } catch (error) {
        expect(error).toBeInstanceOf(SessionsError);
      }
    }),
    propertyRuns(300),
  );
});

test("folders are made for the user alone, and closed where they were open to look into", () => {
  const folder = control.requests({ agent: "claude", sessionId: "s" });
  mkdirSync(control.path, { recursive: true, mode: 0o755 });
  chmodSync(control.path, 0o755);
  control.make(folder);
  for (let each = folder; each !== control.home; each = dirname(each)) {
    expect([each, statSync(each).mode & 0o777]).toEqual([each, 0o700]);
  }
});

test("a folder that others can write to is refused, and so is a link", () => {
  const folder = control.requests({ agent: "claude", sessionId: "s" });
  control.make(dirname(folder));
  chmodSync(control.path, 0o777);
  expect(() => control.make(folder)).toThrow("can be written to by others");
  chmodSync(control.path, 0o700);
  const elsewhere = scratchFolder();
  symlinkSync(elsewhere, folder);
  expect(() => control.make(folder)).toThrow("symbolic link");
  expect(existsSync(join(elsewhere, "x"))).toBe(false);
});

const asRoot = process.geteuid?.() === 0 ? test : test.skip;

asRoot("a folder of another user is refused", () => {
  control.make(control.path);
  chownSync(control.path, 65534, 65534);
  expect(privacyRefusal(control.path)).toBe("belongs to another user");
  expect(() => control.make(control.requests({ agent: "claude", sessionId: "s" }))).toThrow("another user");
});
