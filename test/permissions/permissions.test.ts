import { chmodSync, existsSync, lstatSync, writeFileSync } from "node:fs";
import { scratchFolder } from "../scratch";
import { part } from "../thoroughness";
import type { Reading, Writing } from "./expectations";
import { Onlooker } from "./onlooker";
import type { Place } from "./place";
import { PLACES } from "./places";
import { permissionTable, type Cell } from "./table";
import { identityOf, KINDS, lackFor, setTrap, type Kind } from "./traps";
import { recordOf, Worlds, type World } from "./world";

// A machine that is busy is slow; who hangs is found out by the onlooker.
jest.setTimeout(60_000);

let worlds: Worlds;
let onlooker: Onlooker;
const cells: Cell[] = [];

beforeAll(() => {
  worlds = new Worlds(scratchFolder());
  onlooker = new Onlooker();
});

const unreadable: string[] = [];

// What cannot be read cannot be removed either, but by root.
afterEach(() => {
  for (const path of unreadable.splice(0)) if (existsSync(path)) chmodSync(path, 0o700);
});

afterAll(() => {
  onlooker.end();
  const { PERMISSION_TABLE: path } = process.env;
  if (path !== undefined) writeFileSync(path, permissionTable(PLACES, cells));
});

/** What came of it when it is nothing that may be expected. */
interface Unexpected {
  outcome: string;
  reason?: string;
}

/** A world with a trap in it. */
async function worldWith(place: Place, kind: Kind): Promise<{ world: World; trap: string }> {
  const world = worlds.make(scratchFolder(), onlooker.pid, place.furnish);
  const trap = place.trap(world);
  await setTrap(kind, place.shape, trap, world);
  if (kind === "unreadable") unreadable.push(trap);
  return { world, trap };
}

async function reading(place: Place, kind: Kind): Promise<Reading | Unexpected> {
  const { world, trap } = await worldWith(place, kind);
  const theirs = recordOf(world.theirs);
  const elsewhere = recordOf(world.elsewhere);
  const answer = await onlooker.ask({ place: place.name, act: "look", world });
  expect(recordOf(world.theirs)).toEqual(theirs);
  if (answer.outcome !== "seen") return answer;
  const { isUsed, said, showsOthers } = answer.seen;
  expect({ said, showsOthers }).toEqual({ said, showsOthers: true });
  if (isUsed) return { outcome: "used" };
  expect(recordOf(world.elsewhere)).toEqual(elsewhere);
  const words = said.find((each) => each.includes(trap)) ?? said.find((each) => isAbove(each, trap));
  return words === undefined ? { outcome: "left out" } : { outcome: "refused", reason: words };
}

/** Whether a message is of a folder above a path. */
function isAbove(message: string, path: string): boolean {
  const [file = ""] = message.split(" ");
  return path.startsWith(`${file}/`);
}

async function writing(place: Place, kind: Kind): Promise<Writing | Unexpected> {
  const { world, trap } = await worldWith(place, kind);
  const theirs = recordOf(world.theirs);
  const elsewhere = recordOf(world.elsewhere);
  const before = identityOf(trap);
  const answer = await onlooker.ask({ place: place.name, act: "write", world });
  expect(recordOf(world.theirs)).toEqual(theirs);
  const isSame = identityOf(trap) === before;
  if (answer.outcome === "wrote" && answer.isWritten) {
    if (place.writes?.isBeside === true) return { outcome: isSame ? "written" : "replaced" };
    if (isSame && lstatSync(trap).isSymbolicLink()) return { outcome: "followed" };
    expect(recordOf(world.elsewhere)).toEqual(elsewhere);
    // A plain file of the user's was what should be there.
    const wasGood = kind === "world-writable" || kind === "group-writable";
    return { outcome: isSame || wasGood ? "written" : "replaced" };
  }
  expect(recordOf(world.elsewhere)).toEqual(elsewhere);
  if (!isSame) return { outcome: "nothing is written, but what stood there was changed" };
  switch (answer.outcome) {
    case "wrote":
      return { outcome: "left out" };
    case "refused":
      return answer.isOurs ? { outcome: "refused", reason: answer.reason } : { outcome: `thrown: ${answer.reason}` };
    default:
      return answer;
  }
}

/** Compares with what is expected, of a message only the words that have to be in it; and keeps it for the table. */
function keep(cell: Pick<Cell, "place" | "act" | "kind">, seen: Unexpected, expected: Reading | Writing): void {
  const reason = expected.outcome === "refused" ? { reason: expect.stringContaining(expected.reason) } : {};
  expect(seen).toEqual({ outcome: expected.outcome, ...reason });
  cells.push({ ...cell, ...expected });
}

/**
 * Every place that is read or written, with every kind of trap in it: who looks never hangs, never writes into what is
 * somebody else's, and shows the sessions of all other sources as ever; what comes of the place itself stands with it.
 * A usual run of the tests tries a third of the traps at each place, `npm run permissions` all of them.
 * `PERMISSION_TABLE=file` leaves what was seen as a table (scripts/permission-table.mjs).
 */
describe.each(PLACES.map((place, index) => [place.name, place, index] as const))("%s", (name, place, index) => {
  for (const kind of part(KINDS, 3, index)) {
    if (place.none?.[kind] !== undefined) continue;
    const lack = lackFor(kind);
    const testOf = (act: Cell["act"], run: () => Promise<void>) =>
      lack === undefined ? test(`${act}: ${kind}`, run) : test.skip(`${act}: ${kind} (${lack})`, run);
    const { reads, writes } = place;
    if (reads !== undefined) {
      testOf("read", async () =>
        keep({ place: name, act: "read", kind }, await reading(place, kind), reads.expected[kind]),
      );
    }
    if (writes !== undefined) {
      testOf("write", async () =>
        keep({ place: name, act: "write", kind }, await writing(place, kind), writes.expected[kind]),
      );
    }
  }
});
