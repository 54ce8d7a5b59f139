import { defineConfig } from "eslint/config";
import raycastConfig from "@raycast/eslint-config";

export default defineConfig([
  { ignores: ["dist/", "build/", "node_modules/", "raycast-env.d.ts"] },
  ...raycastConfig,
  { files: ["**/*.js"], rules: { "@typescript-eslint/no-require-imports": "off" } },
  {
    files: ["scripts/**/*.mjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly", setTimeout: "readonly", URL: "readonly" } },
  },
]);
