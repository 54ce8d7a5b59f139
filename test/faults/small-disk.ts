import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "../../src/session/failure";
import { scratchFolder } from "../scratch";

const PAGE = 4096;

/** Whether this user may mount at all. */
const canMount =
  spawnSync("sh", ["-c", "d=$(mktemp -d) && mount -t tmpfs -o size=64k none $d && umount $d && rmdir $d"]).status === 0;

/** A test that needs disks of its own; where they are refused, the skipped line says so. */
export function testWithDisks(name: string, run: () => Promise<void>, timeout: number): void {
  if (canMount) test(name, run, timeout);
  else test.skip(`${name} (needs root, who may mount)`, run);
}

const mounted = new Set<string>();

afterAll(() => {
  for (const path of mounted) unmount(path);
});

function unmount(path: string): void {
  // Whoever may still hold a file there does not keep it from going.
  if (spawnSync("umount", [path]).status !== 0) spawnSync("umount", ["--lazy", path]);
  mounted.delete(path);
}

/** A disk of its own, so small that it can be filled to the page. It takes root, and is gone at the end of the test. */
export class SmallDisk {
  readonly path = scratchFolder();
  private readonly filler = join(this.path, "filler");

  constructor(size = "2m") {
    const options = `size=${size},mode=755`;
    const { status, stderr } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "none", this.path], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`mount: ${stderr}`);
    mounted.add(this.path);
  }

  /** Fills it but for some pages of 4 KiB. */
  fill(pages: number): void {
    const descriptor = openSync(this.filler, "w");
    const page = Buffer.alloc(PAGE);
    let written = 0;
    try {
      for (;;) written += writeSync(descriptor, page);
    } catch (error) {
      if (systemCodeOf(error) !== "ENOSPC") throw error;
    } finally {
      closeSync(descriptor);
    }
    truncateSync(this.filler, Math.max(0, written - pages * PAGE));
  }

  /** There is room again. */
  empty(): void {
    rmSync(this.filler, { force: true });
  }

  setReadOnly(isReadOnly: boolean): void {
    const { status, stderr } = spawnSync("mount", ["-o", `remount,${isReadOnly ? "ro" : "rw"}`, this.path], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`remount: ${stderr}`);
  }

  remove(): void {
    unmount(this.path);
  }
}
