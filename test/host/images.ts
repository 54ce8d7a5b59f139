import { existsSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST, PROJECT } from "./manifest";
import { Color, Icon } from "./names";

const ICONS = new Set(Object.values(Icon));
const COLORS = new Set(Object.values(Color));

/** What is wrong with an image: a picture that assets/ lacks, an icon or color that the launcher does not know. */
export function imageFault(image: unknown): string | undefined {
  if (image === undefined || image === null) return undefined;
  if (typeof image === "string") return sourceFault(image) ?? untinted(image);
  if (typeof image !== "object") return "its icon is no image";
  if ("fileIcon" in image) return undefined;
  if ("value" in image) return imageFault(image.value);
  if (!("source" in image)) return "its icon has no source";
  if ("tintColor" in image && image.tintColor !== undefined) {
    if (typeof image.tintColor !== "string" || !COLORS.has(image.tintColor)) return `no color ${image.tintColor}`;
  }
  const { source } = image;
  if (typeof source !== "object" || source === null) {
    return sourceFault(String(source)) ?? ("tintColor" in image ? undefined : untinted(String(source)));
  }
  return Object.values(source)
    .map((each) => sourceFault(String(each)))
    .find((fault) => fault !== undefined);
}

/** The pictures of states are black shapes: without a tint they are not seen in a dark window. */
function untinted(source: string): string | undefined {
  return source.startsWith("state-") ? `${source} has no tint` : undefined;
}

function sourceFault(source: string): string | undefined {
  if (ICONS.has(source)) return undefined;
  // Fetching a picture would tell a server what the user looks at.
  if (/^[a-z]+:\/\//i.test(source)) return `${source} would be fetched`;
  if (/\.(png|svg|jpg)$/.test(source)) {
    return existsSync(join(PROJECT, "assets", source)) ? undefined : `${source} is missing in assets/`;
  }
  return `the launcher of ${MANIFEST.title} has no icon ${source}`;
}
