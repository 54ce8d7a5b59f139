/**
 * The launcher's own icons are not in its package: these stand for them, drawn by us on a square of 16, as strokes.
 * An icon that is not here is drawn as a small ring.
 */
const SHAPES: Readonly<Record<string, string>> = {
  "arrow-clockwise-16": "M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3",
  "arrow-right-circle-16": "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M5 8h6M8.5 5.5 11 8l-2.5 2.5",
  "check-circle-16": "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M5.5 8.2l1.8 1.8 3.4-3.8",
  "check-list-16": "M2.5 4.5l1 1 1.6-2M7.5 4.5h6M2.5 11l1 1 1.6-2M7.5 11h6",
  "circle-16": "M8 2.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11",
  "clock-16": "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 4.8V8l2.4 1.6",
  "copy-clipboard-16": "M5.5 3.5h-2v10h9v-10h-2M5.5 2.5h5v2.5h-5z",
  "cog-16":
    "M8 5.6a2.4 2.4 0 1 1 0 4.8 2.4 2.4 0 0 1 0-4.8M8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4",
  "eye-16": "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6",
  "exclamation-mark-16": "M8 2.5v7M8 12.6v.8",
  "folder-16": "M2 4.5v8h12v-7H8L6.5 3.5H2z",
  "magnifying-glass-16": "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.4 10.4l3.3 3.3",
  "speech-bubble-16": "M2 3h12v8.5H8L4.8 14v-2.5H2z",
  "pause-16": "M5.5 3v10M10.5 3v10",
  "play-16": "M4.5 3v10l8-5z",
  "rotate-clockwise-16": "M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3",
  "app-window-sidebar-right-16": "M2 3h12v10H2zM10 3v10",
  "snowflake-16": "M8 1.8v12.4M2.6 4.9l10.8 6.2M13.4 4.9 2.6 11.1",
  "stop-16": "M3.5 3.5h9v9h-9z",
  "temperature-16": "M6.3 9V3.6a1.7 1.7 0 0 1 3.4 0V9a3 3 0 1 1-3.4 0M8 6v5.5",
  "terminal-16": "M2.5 4.5 6 8l-3.5 3.5M8 12h5.5",
  "trash-16": "M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4",
  "two-people-16":
    "M6 3a2.3 2.3 0 1 1 0 4.6A2.3 2.3 0 0 1 6 3M1.5 13c.3-2.7 2-4 4.5-4s4.2 1.3 4.5 4M10.5 3.200a2.2 2.2 0 0 1 0 4.200M12 9.300c1.5.6 2.3 1.9 2.5 3.7",
  "x-mark-circle-16": "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M6 6l4 4M10 6l-4 4",
};

const UNKNOWN = "M8 5.500a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5";

/** An icon of the launcher by its name, as SVG in the color of the text around it. */
export function iconShape(name: string): string {
  const path = SHAPES[name] ?? UNKNOWN;
  return `<svg viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`;
}
