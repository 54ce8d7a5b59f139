/** This build's version; the build writes package.json's into the bundle. */
declare const AGENT_SESSIONS_VERSION: string | undefined;

export const VERSION = typeof AGENT_SESSIONS_VERSION === "string" ? AGENT_SESSIONS_VERSION : "0.0.0-dev";
