import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ReportDirectory } from "../../src/store/report-directory";
import { scratchFolder } from "../scratch";

/** A folder whose files are only ever replaced, as our own store's are. */
class Store {
  readonly folder = join(scratchFolder(), "claude");
  /** Long after the files were written: none is in the tick of its last change any more. */
  now = Date.now() + 60_000;
  decoded = 0;
  readonly directory = this.open();

  constructor() {
    mkdirSync(this.folder);
  }

  open(): ReportDirectory {
    return new ReportDirectory(
      this.folder,
      (text) => {
        this.decoded += 1;
        const state = text === "broken" ? undefined : "idle";
        return state === undefined
          ? { outcome: "refused", findings: [{ reason: "is broken", outcome: "refused" }] }
          : { outcome: "report", report: { agent: "claude", sessionId: text, state, since: 1 }, findings: [] };
      },
      true,
    );
  }

  replace(name: string, text: string): void {
    writeFileSync(join(this.folder, `.${name}`), text);
    renameSync(join(this.folder, `.${name}`), join(this.folder, name));
  }

  ids(directory = this.directory): string[] {
    directory.look(this.now);
    return Array.from(directory.files(), ({ report }) => report?.sessionId ?? "?").sort();
  }
}

test("what is replaced, added or removed shows, however often nothing changed before", () => {
  const store = new Store();
  store.replace("a.json", "a");
  expect(store.ids()).toEqual(["a"]);
  expect(store.ids()).toEqual(["a"]);
  store.replace("a.json", "again");
  expect(store.ids()).toEqual(["again"]);
  store.replace("b.json", "b");
  expect(store.ids()).toEqual(["again", "b"]);
  rmSync(join(store.folder, "b.json"));
  store.directory.look(store.now);
  store.now += 1000;
  expect(store.ids()).toEqual(["again"]);
});

test("a folder that did not change is not listed: a file changed in place, which our writers never do, waits for it", () => {
  const store = new Store();
  store.replace("a.json", "a");
  expect(store.ids()).toEqual(["a"]);
  writeFileSync(join(store.folder, "a.json"), "in place");
  expect(store.ids()).toEqual(["a"]);
  store.replace("b.json", "b");
  expect(store.ids()).toEqual(["b", "in place"]);
});

test("a change in the folder's last tick is not trusted", () => {
  const store = new Store();
  store.replace("a.json", "a");
  const { mtimeMs } = statSync(store.folder);
  store.now = mtimeMs + 10;
  expect(store.ids()).toEqual(["a"]);
  // The same stamp on the folder, as within one tick of its clock.
  writeFileSync(join(store.folder, "a.json"), "same tick");
  expect(store.ids()).toEqual(["same tick"]);
});

test("with a file that cannot be read, the folder is looked at each time", () => {
  const store = new Store();
  store.replace("a.json", "broken");
  store.ids();
  writeFileSync(join(store.folder, "a.json"), "mended");
  expect(store.ids()).toEqual(["mended"]);
});

test("a later run trusts an unchanged folder, and lists a changed one", () => {
  const store = new Store();
  store.replace("a.json", "a");
  store.ids();
  const later = store.open();
  later.restore(store.directory.cacheable());
  store.decoded = 0;
  expect(store.ids(later)).toEqual(["a"]);
  expect(store.decoded).toBe(0);
  const last = store.open();
  last.restore(store.directory.cacheable());
  rmSync(join(store.folder, "a.json"));
  expect(store.ids(last)).toEqual([]);
});

test("a folder whose times were set back is listed: its change time tells", () => {
  const store = new Store();
  store.replace("a.json", "a");
  store.ids();
  const { atime, mtime } = statSync(store.folder);
  store.replace("a.json", "other");
  utimesSync(store.folder, atime, mtime);
  expect(store.ids()).toEqual(["other"]);
});
