declare module "claude-code" {
  interface PluginState {
    "agent-sessions": {
      /** What the pane shows: `Overview` of core/session-row.ts, spelled out, since a contract may import nothing. */
      overview: {
        at: number;
        rows: readonly {
          pid: number;
          sessionId: string;
          name: string;
          status: string;
          version: string;
          cwd: string;
          startedAt: number;
          procStart: string;
          pidDomain: string;
          contextTokens?: number;
          topic?: string;
          hasPlugin: boolean;
          isAlive?: boolean;
          answeredAt?: number | null;
          ttlMs?: number;
        }[];
        error: string;
      };
      /** Which sessions were asked to save, and when, in milliseconds. */
      asked: Readonly<Record<string, number>>;
    };
  }
}
