export type { HookSetting, MapPayload, Mapped } from "../session/mapping";
