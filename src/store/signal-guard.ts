import type { Guard } from "./guarded-read";

/**
 * How Agent Signal's state document is read: it holds some 50 events, anything much larger is not one, and a link to
 * it counts where only the user could have put it.
 */
export const SIGNAL_DOCUMENT_GUARD: Guard = { limit: 16 * 1024 * 1024, links: "private" };
