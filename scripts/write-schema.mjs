// Writes docs/snapshot-v1.schema.json from the schema in the sources. Run it when the contract grows: `npm run schema`.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { format } from "prettier";

const outfile = join(tmpdir(), `snapshot-schema-${process.pid}.cjs`);
buildSync({ entryPoints: ["src/cli/snapshot-schema.ts"], outfile, bundle: true, platform: "node", logLevel: "error" });
const { snapshotJsonSchema } = createRequire(import.meta.url)(outfile);
const text = await format(JSON.stringify(snapshotJsonSchema()), { parser: "json", printWidth: 120 });
writeFileSync("docs/snapshot-v1.schema.json", text);
