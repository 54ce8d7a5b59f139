import { transformSync } from "esbuild";
import { createRequire } from "node:module";

/** What a plugin file exports, called as its agent calls it. */
type Exports = Record<string, (...given: unknown[]) => Promise<Record<string, (...given: unknown[]) => Promise<void>>>>;

interface Plugin {
  AgentSessions: Exports[string];
  default: (host: unknown) => void;
}

/** Loads a plugin's text as an agent would, with an environment of its own. */
export function loadPlugin(text: string, loader: "js" | "ts", environment: Record<string, string> = {}): Plugin {
  const { code } = transformSync(text, { loader, format: "cjs" });
  const module: { exports: Partial<Plugin> } = { exports: {} };
  const own = Object.create(process, { env: { value: { ...environment } } });
  new Function("module", "exports", "require", "process", code)(module, module.exports, createRequire(__filename), own);
  const missing = () => Promise.reject(new Error("not exported"));
  return { AgentSessions: missing, default: missing, ...plain(module.exports) };
}

function plain(exports: Partial<Plugin>): Partial<Plugin> {
  return Object.fromEntries(Object.keys(exports).map((key) => [key, Reflect.get(exports, key)]));
}
