import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { encodeSignalDocument } from "../../src/files/signal-document";
import type { SignalDocument } from "../../src/session/signal-document";
import { documentOf } from "../session/signal-sample";
import type { World } from "./world";

/** Sessions that others signaled before; with the events the document takes several blocks of a disk. */
export const BEFORE = ["one", "two", "three"];

function documentBefore(): SignalDocument {
  const now = Math.floor(Date.now() / 1000) - 5;
  const events = Array.from({ length: 50 }, (_, number) => ({
    id: `event-${number}`,
    sessionId: "one",
    signal: "working" as const,
    updatedAt: now,
    extra: { kept: "by whoever does not know it" },
  }));
  return documentOf(
    { one: ["working", now], two: ["permission", now], three: ["thinking", now] },
    { events, extra: { theirs: 1 } },
  );
}

/** Puts a document of others into a world. */
export function fillWithSignals(world: World): World {
  mkdirSync(dirname(world.places.signalStateFile), { recursive: true, mode: 0o700 });
  writeFileSync(world.places.signalStateFile, encodeSignalDocument(documentBefore()), { mode: 0o600 });
  return world;
}
