import { chownSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clearPaused, readPaused, setPaused } from "../../src/store/paused-flag";
import { scratchFolder } from "../scratch";
import { T } from "../session/signal-sample";

let home: string;
let file: string;

beforeEach(() => {
  home = join(scratchFolder(), "home");
  file = join(home, "paused.json");
});

test("set, read, cleared", () => {
  expect(readPaused({ home })).toEqual({ paused: false });
  setPaused({ home }, T);
  expect(readPaused({ home })).toEqual({ paused: true, since: T });
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ version: 1, paused_at: T });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  clearPaused({ home });
  expect(readPaused({ home })).toEqual({ paused: false });
  clearPaused({ home });
});

test("pausing twice keeps the first time", () => {
  setPaused({ home }, T);
  setPaused({ home }, T + 60);
  expect(readPaused({ home }).since).toBe(T);
});

test.each(["", "{", "{}", '{"version":2,"paused_at":1}', '{"version":1,"paused_at":1e13}'])(
  "a damaged flag %j still pauses, is named, and can be set anew",
  (text) => {
    mkdirSync(home);
    writeFileSync(file, text);
    const state = readPaused({ home });
    expect([state.paused, state.since, state.problem?.file]).toEqual([true, undefined, file]);
    setPaused({ home }, T);
    expect(readPaused({ home })).toEqual({ paused: true, since: T });
  },
);

test("a link is no flag", () => {
  mkdirSync(home);
  const elsewhere = join(scratchFolder(), "flag.json");
  writeFileSync(elsewhere, '{"version":1,"paused_at":1}');
  symlinkSync(elsewhere, file);
  expect(readPaused({ home })).toMatchObject({ paused: false, problem: { outcome: "refused" } });
});

const asRoot = process.geteuid?.() === 0 ? test : test.skip;

asRoot("a flag or a home of another user is refused", () => {
  setPaused({ home }, T);
  chownSync(file, 65534, 65534);
  expect(readPaused({ home })).toMatchObject({ paused: false, problem: { reason: "belongs to another user" } });
  chownSync(home, 65534, 65534);
  expect(readPaused({ home })).toMatchObject({
    paused: false,
    problem: { reason: "its folder belongs to another user" },
  });
});
