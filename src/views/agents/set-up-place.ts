import { environment } from "@raycast/api";
import { homedir } from "node:os";
import { delimiter } from "node:path";
import type { SetUpPlace } from "../../observe/set-up";
import type { Environment } from "../../store/places";
import { settingsToRead } from "../settings";
import { programFolders } from "./program-folders";

/** What a set-up from the launcher depends on, read anew: the preferences may change while the command is open. */
export function launcherPlace(): SetUpPlace {
  const { home, agentDirectories } = settingsToRead().places;
  return {
    environment: ownEnvironment(),
    home,
    assets: environment.assetsPath,
    ...(agentDirectories === undefined ? {} : { agentDirectories }),
  };
}

/** The environment, with a PATH on which programs are found. Windows has the user's whole PATH, whatever its case. */
function ownEnvironment(): Environment {
  if (process.platform === "win32") return process.env;
  const user = process.env.HOME?.trim() || homedir();
  const folders = [process.env.PATH ?? "", ...programFolders(user)].filter((folder) => folder !== "");
  return { ...process.env, PATH: folders.join(delimiter) };
}
