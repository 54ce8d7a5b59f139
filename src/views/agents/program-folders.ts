import { join } from "node:path";

/** Where installers put agents' programs. A launcher has no shell, so its PATH may lack them. */
export function programFolders(user: string): string[] {
  return [
    "/opt/homebrew/bin",
    "/usr/local/bin",
    ...[".local/bin", ".bun/bin", ".volta/bin", ".npm-global/bin", ".opencode/bin", ".asdf/shims"].map((folder) =>
      join(user, folder),
    ),
    join(user, ".local", "share", "mise", "shims"),
  ];
}
