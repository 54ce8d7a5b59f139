import * as fc from "fast-check";
import { typingPlaceOf } from "../../src/control/typing-place";
import { TERMINAL_FACTS } from "../../src/session/terminal-facts";
import { propertyRuns } from "../property-runs";

const placeOf = (terminal: Record<string, string>, tmux?: string) => {
  const found = typingPlaceOf({ terminal, ...(tmux === undefined ? {} : { live: { tmux } }) });
  return found.outcome === "place" ? found.place : undefined;
};

test.each([
  [
    { TMUX: "/tmp/tmux-1/default,12,0", TMUX_PANE: "%3" },
    undefined,
    { terminal: "tmux", pane: "%3", socket: "/tmp/tmux-1/default" },
  ],
  // The registry knows the pane of now; a hook's variables may be those of another terminal (Codex's daemon).
  [{ TMUX: "/tmp/a,b/s,12,0", TMUX_PANE: "%3" }, "main:@1.%7", { terminal: "tmux", pane: "%7", socket: "/tmp/a,b/s" }],
  [{}, "main:@1.%7", { terminal: "tmux", pane: "%7" }],
  [
    { TMUX: "/t/s,1,0", TMUX_PANE: "%1", KITTY_WINDOW_ID: "4", KITTY_LISTEN_ON: "unix:/t/k" },
    undefined,
    { terminal: "tmux", pane: "%1", socket: "/t/s" },
  ],
  [
    { KITTY_WINDOW_ID: "4", KITTY_LISTEN_ON: "unix:/t/k" },
    undefined,
    { terminal: "kitty", window: "4", listensOn: "unix:/t/k" },
  ],
  [{ WEZTERM_PANE: "0" }, undefined, { terminal: "wezterm", pane: "0" }],
  [
    { ITERM_SESSION_ID: "w0t1p0:A1B2C3D4-0000-0000-0000-00000000000F" },
    undefined,
    { terminal: "iterm2", session: "A1B2C3D4-0000-0000-0000-00000000000F" },
  ],
])("%j, registry %j", (terminal, tmux, place) => {
  expect(placeOf(terminal as Record<string, string>, tmux)).toEqual(place);
});

test.each<Record<string, string>>([
  {},
  { TERM_PROGRAM: "Apple_Terminal" },
  { TMUX: "/t/s,1,0" },
  { TMUX: "t/s,1,0", TMUX_PANE: "%1" },
  { TMUX: "/t/s,1,0", TMUX_PANE: "1" },
  { TMUX: "/t/s,1,0", TMUX_PANE: "%1 ; kill-server" },
  { ZELLIJ: "0", TMUX: "/t/s,1,0", TMUX_PANE: "%1" },
  { STY: "1.pts-0", KITTY_WINDOW_ID: "4", KITTY_LISTEN_ON: "unix:/t/k" },
  { SSH_CONNECTION: "1", WEZTERM_PANE: "1" },
  { KITTY_WINDOW_ID: "4" },
  { KITTY_WINDOW_ID: "4", KITTY_LISTEN_ON: "tcp:localhost:1" },
  { KITTY_WINDOW_ID: "4", KITTY_LISTEN_ON: "unix:@anybody" },
  { KITTY_WINDOW_ID: "4 or id:5", KITTY_LISTEN_ON: "unix:/t/k" },
  { WEZTERM_PANE: "-1" },
  { ITERM_SESSION_ID: 'w0t0p0:" & x' },
])("%j is no place that is certain", (terminal) => {
  const found = typingPlaceOf({ terminal });
  expect(found).toEqual({ outcome: "none", reason: expect.stringMatching(/./) as string });
});

test("whatever the variables hold, a place holds nothing that could be read as more than an id", () => {
  const value = fc.oneof(fc.string(), fc.constantFrom("%1", "0", "unix:/t/k", "/t/s,1,0", "w0t0p0:x", "$(id)", "%1\n"));
  const facts = fc.dictionary(fc.constantFrom(...TERMINAL_FACTS), value);
  fc.assert(
    fc.property(facts, fc.option(value, { nil: undefined }), (terminal, tmux) => {
      const place = placeOf(terminal, tmux);
      if (place?.terminal === "tmux") expect(place.pane).toMatch(/^%\d+$/);
      if (place?.terminal === "kitty") expect(place.window).toMatch(/^\d+$/);
      if (place?.terminal === "wezterm") expect(place.pane).toMatch(/^\d+$/);
      if (place?.terminal === "iterm2") expect(place.session).toMatch(/^[0-9A-F-]{36}$/i);
    }),
    propertyRuns(300),
  );
});
