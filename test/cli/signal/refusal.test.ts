import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "../../scratch";
import { builtAgentSignal, run, testAsRoot } from "./built-command";

const NOBODY = 65534;
const DOCUMENT = '{"sessions":{"x":{"signal":"working","updated_at":"2020-01-01T00:00:00Z"}},"aggregate":"working"}';

let script: string;
let folder: string;
let stateFile: string;
let environment: Record<string, string>;

beforeAll(() => {
  script = builtAgentSignal();
});

beforeEach(() => {
  const scratch = scratchFolder();
  chmodSync(scratch, 0o755);
  folder = join(scratch, "state");
  stateFile = join(folder, "status.json");
  environment = { AGENT_SIGNAL_LIGHT_STATE_DIR: folder };
  mkdirSync(folder);
});

function asNobody(argv: readonly string[]) {
  return run(script, argv, { environment, user: NOBODY });
}

testAsRoot("a folder of another user is refused, for reading and for writing", () => {
  writeFileSync(stateFile, DOCUMENT);
  chmodSync(folder, 0o777);
  expect(asNobody(["status"])).toEqual({
    code: 1,
    out: "",
    err: `agent-signal: ${folder} belongs to another user. Remove it, or name another place.\n`,
  });
  expect(asNobody(["working"])).toEqual({
    code: 1,
    out: "",
    err: `agent-signal: Cannot create state directory at ${folder}: ${folder} belongs to another user. Remove it, or name another place.\n`,
  });
  expect(readFileSync(stateFile, "utf8")).toBe(DOCUMENT);
});

testAsRoot("a file of another user is refused, for reading and for writing", () => {
  writeFileSync(stateFile, DOCUMENT);
  chownSync(folder, NOBODY, NOBODY);
  const refusal = {
    code: 1,
    out: "",
    err: `agent-signal: ${stateFile} belongs to another user. Remove it, or name another place.\n`,
  };
  expect(asNobody(["status"])).toEqual(refusal);
  expect(asNobody(["working", "--session", "y"])).toEqual(refusal);
  expect(readFileSync(stateFile, "utf8")).toBe(DOCUMENT);
});

testAsRoot("a folder that cannot be made is named, with the system's reason", () => {
  environment = { AGENT_SIGNAL_LIGHT_STATE_DIR: join(folder, "deeper") };
  const { code, err } = asNobody(["working"]);
  expect(code).toBe(1);
  expect(err).toMatch(new RegExp(`^agent-signal: Cannot create state directory at ${folder}/deeper: EACCES`));
});

testAsRoot("a lock that cannot be made is named; reading needs none, and keeps nothing", () => {
  writeFileSync(stateFile, DOCUMENT);
  chownSync(stateFile, NOBODY, NOBODY);
  chownSync(folder, NOBODY, NOBODY);
  chmodSync(folder, 0o500);
  const { code, err } = asNobody(["working"]);
  expect(code).toBe(1);
  expect(err).toMatch(
    new RegExp(`^agent-signal: Cannot open state lock at ${folder}/state\\.lock\\.agent-sessions\\. `),
  );
  const read = asNobody(["status", "--json"]);
  expect([read.code, read.err]).toEqual([0, ""]);
  expect(JSON.parse(read.out)).toMatchObject({ aggregate: "stale", sessions: [] });
  expect(JSON.parse(read.out)).not.toHaveProperty("updated_at");
  expect(readFileSync(stateFile, "utf8")).toBe(DOCUMENT);
});

testAsRoot("a file of one's own that may not be read is not trusted, is named, and is replaced", () => {
  writeFileSync(stateFile, DOCUMENT, { mode: 0 });
  chownSync(stateFile, NOBODY, NOBODY);
  chownSync(folder, NOBODY, NOBODY);
  const read = asNobody(["status", "--json"]);
  expect(read.code).toBe(0);
  expect(read.err).toBe(`agent-signal: ${stateFile}: may not be read; check its permissions\n`);
  expect(JSON.parse(read.out)).toMatchObject({ aggregate: "stale", sessions: [] });
  expect(asNobody(["working", "--session", "y"]).code).toBe(0);
  expect(lstatSync(stateFile).mode & 0o777).toBe(0o600);
});

test("a linked file in a folder that others can write to is refused", () => {
  const elsewhere = join(scratchFolder(), "elsewhere.json");
  writeFileSync(elsewhere, DOCUMENT);
  symlinkSync(elsewhere, stateFile);
  chmodSync(folder, 0o777);
  const refusal = {
    code: 1,
    out: "",
    err: `agent-signal: ${stateFile} is a symbolic link in a folder that others can write to. Remove it, or name another place.\n`,
  };
  expect(run(script, ["status"], { environment })).toEqual(refusal);
  expect(run(script, ["working"], { environment })).toEqual(refusal);
  expect(readFileSync(elsewhere, "utf8")).toBe(DOCUMENT);
});

test("a linked folder in a folder that others can write to is refused", () => {
  chmodSync(folder, 0o777);
  const link = join(folder, "link");
  symlinkSync(scratchFolder(), link);
  environment = { AGENT_SIGNAL_LIGHT_STATE_DIR: link };
  const reason = `${link} is a symbolic link in a folder that others can write to. Remove it, or name another place.`;
  expect(run(script, ["status"], { environment }).err).toBe(`agent-signal: ${reason}\n`);
  expect(run(script, ["working"], { environment }).err).toBe(
    `agent-signal: Cannot create state directory at ${link}: ${reason}\n`,
  );
});

test("a link of the user's own stays, and what it points to is replaced", () => {
  const elsewhere = join(scratchFolder(), "elsewhere.json");
  writeFileSync(elsewhere, DOCUMENT);
  symlinkSync(elsewhere, stateFile);
  chmodSync(folder, 0o700);
  expect(run(script, ["done", "--session", "y"], { environment }).code).toBe(0);
  expect(lstatSync(stateFile).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(elsewhere, "utf8"))).toMatchObject({ aggregate: "done" });
});

test("a folder where the file should be is refused", () => {
  mkdirSync(stateFile);
  const { code, err } = run(script, ["status"], { environment });
  expect([code, err]).toEqual([
    1,
    `agent-signal: ${stateFile} is a folder, not a file. Remove it, or name another place.\n`,
  ]);
});
