import type { EngineInterface } from "claude-code";
import { anchorOf, anchorsIn, firstPrompts, NO_ANCHOR, type Anchor, type Anchors } from "../core/anchor";
import { projectFolderName } from "../core/file-path";
import { configFolder } from "./surroundings";

/** Of which session the anchor was found, should its first prompts be gone after a compaction. */
let known: { id: string; anchor: Anchor } | undefined;

/** Where this session saves to: by what it began with, and the memory index. Never throws. */
export async function sessionAnchor($: EngineInterface): Promise<Anchor> {
  try {
    const id = await $.session.id();
    const anchors = await indexedAnchors($);
    const found = anchorOf(firstPrompts(await $.session.messages()), anchors);
    if (found.file !== "") known = { id, anchor: found };
    else if (known?.id === id && isStillListed(known.anchor, anchors)) return known.anchor;
    return found;
  } catch {
    return NO_ANCHOR;
  }
}

/** Whether the conversation has a prompt already that may hold a pickup phrase. */
export async function hasPrompts($: EngineInterface): Promise<boolean> {
  return firstPrompts(await $.session.messages()).length > 0;
}

function isStillListed({ file }: Anchor, anchors: Anchors): boolean {
  return [...anchors.values()].some((anchor) => anchor.file === file);
}

async function indexedAnchors($: EngineInterface): Promise<Anchors> {
  try {
    const index = await memoryIndex($);
    return anchorsIn(await $.fs.read(index), index.replace(/[\\/]MEMORY\.md$/, ""));
  } catch {
    // Without an index no phrase has a file.
    return new Map();
  }
}

/** The memory index of this session: the one it has read, else the one that its project would have. */
async function memoryIndex($: EngineInterface): Promise<string> {
  try {
    const { context } = await $.session.usage({ breakdown: "summary" });
    const read = context.breakdown?.memoryFiles.find(({ path }) => /[\\/]memory[\\/]MEMORY\.md$/.test(path));
    if (read !== undefined) return read.path;
  } catch {
    // Then the project's.
  }
  const project = projectFolderName(await $.session.root());
  if (project === undefined) throw new Error("The project's folder is not known");
  return `${await configFolder($)}/projects/${project}/memory/MEMORY.md`;
}
