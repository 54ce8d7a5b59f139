import type { Anchor } from "./anchor";
import type { Warmth } from "./cache";
import type { CarryOn } from "./carry-on";
import { spanOf } from "./figures";
import type { Language } from "./language";
import type { Stay } from "./save";
import { tokenMark } from "./token";

/** All that the plugin says, to the user and to the model. `file` is a file's name where the user reads it. */
export interface Texts {
  locale: string;

  sessionsCommand: string;
  pauseCommand: string;
  pauseHint: string;
  usage: string;

  paneTitle: string;
  opened: string;
  closed: string;
  reading: string;
  unreadable(why: string): string;
  summary(sessions: number, warm: number, at: string): string;
  thisOne: string;
  withoutPlugin: string;
  unverified: string;
  saving: string;
  saved: string;
  noTopic: string;
  contextUnknown: string;
  warmth(warmth: Warmth): string;

  nothingArmed: string;
  cancelled: string;
  alreadySaving: string;
  noPickup(anchor: Anchor): string;
  startsFresh(file: string, phrase: string): string;
  startsFreshAlone(file: string, phrase: string): string;
  savesOnly(file: string): string;
  savesUnlisted(anchor: Anchor): string;
  alsoAsked(names: string): string;
  saveOnlyThere(names: string): string;
  cold(names: string): string;
  unknownAge(names: string): string;
  unreached(names: string): string;

  stay(why: Stay, file: string): string;
  saveNotStarted: string;
  midTurnSavesOnly: string;
  carryOnUnclear(file: string): string;
  restartFailed: string;
  phraseNotFilled(phrase: string): string;

  messageSummary: string;
  askOthers: string;
  askSelf(anchor: Anchor): string;
  askSelfAuto(anchor: Anchor, token: string): string;
  rules: string;
  target(anchor: Anchor): string;
  midTurn: string;
  atRest: string;
  afterRestart(carryOn: CarryOn): string;
}

const EN: Texts = {
  locale: "en-US",

  sessionsCommand: "All running Claude sessions: topic, context, and whether the cache is warm or cold",
  pauseCommand: "Before a break: warm sessions save where they stand; with new they start fresh afterwards",
  pauseHint: "[new|self|auto|cancel]",
  usage:
    "Usage: /pause (warm sessions save where they stand), /pause new (they save, then start fresh with their pickup " +
    "phrase), /pause self (only this session saves and starts fresh), /pause auto (like self, and it carries on by " +
    "itself when it wrote Auto-continue: yes), /pause cancel (this session does not start fresh)",

  paneTitle: "Sessions",
  opened: "The overview of sessions is open.",
  closed: "The overview is closed.",
  reading: "Reading the sessions …",
  unreadable: (why) => `The sessions cannot be read: ${why}`,
  summary: (sessions, warm, at) => `${sessions} ${sessions === 1 ? "session" : "sessions"} · ${warm} warm · ${at}`,
  thisOne: "this one",
  withoutPlugin: "without plugin",
  unverified: "may have ended",
  saving: "⏳ saving …",
  saved: "✓ saved",
  noTopic: "–",
  contextUnknown: "context unknown",
  warmth: (warmth) => {
    switch (warmth.state) {
      case "working":
        return "working";
      case "warm":
        return `warm, ${Math.max(1, Math.round(warmth.leftMs / 60_000))} min left`;
      case "cold":
        return `❄ cold for ${span(warmth.sinceMs, "min", "h", "days")}`;
      case "unanswered":
        return "no answer yet";
      case "unknown":
        return "last answer unknown";
      default:
        return warmth satisfies never;
    }
  },

  nothingArmed: "No fresh start is planned for this session.",
  cancelled: "Cancelled: this session does not start fresh after saving, and keeps its context.",
  alreadySaving: "This session is already saving. Wait until it is done, or use /pause cancel.",
  noPickup: ({ phrase, isAmbiguous }) => {
    if (phrase === "") return "No fresh start: this session began without a pickup phrase, so there is no pickup file.";
    return isAmbiguous
      ? `No fresh start: “${phrase}” stands for several files in MEMORY.md, so there is no pickup file.`
      : `No fresh start: “${phrase}” has no 🔑 entry in MEMORY.md, so there is no pickup file.`;
  },
  startsFresh: (file, phrase) =>
    `This session saves to ${file} and starts fresh with “${phrase}” once it has written the file.`,
  startsFreshAlone: (file, phrase) =>
    `This session saves to ${file} and starts fresh with “${phrase}” once it has written the file; with ` +
    "Auto-continue: yes it then carries on by itself.",
  savesOnly: (file) => (file === "" ? "This session saves where it stands." : `This session saves to ${file}.`),
  savesUnlisted: ({ phrase, isAmbiguous }) => {
    if (phrase === "") return "This session saves; without a pickup phrase at its beginning it does not start fresh.";
    return isAmbiguous
      ? `This session saves; “${phrase}” stands for several files in MEMORY.md, so it does not start fresh.`
      : `This session saves; “${phrase}” has no 🔑 entry in MEMORY.md, so it does not start fresh.`;
  },
  alsoAsked: (names) => `Saving too: ${names}.`,
  saveOnlyThere: (names) => `Without the plugin, so they save and do not start fresh: ${names}.`,
  cold: (names) => `Left out, since their cache is cold: ${names}.`,
  unknownAge: (names) => `Left out, since it is not known whether their cache is warm: ${names}.`,
  unreached: (names) => `Not reached: ${names}.`,

  stay: (why, file) => {
    switch (why) {
      case "only-save":
        return "It was only asked to save.";
      case "typed":
        return "No fresh start: you are typing. The session saves and keeps its context.";
      case "stopped":
        return "No fresh start: you stopped the session. It keeps its context.";
      case "cancelled":
        return "No fresh start: it was cancelled. The session saved and keeps its context.";
      case "not-clean":
        return "No fresh start: the turn that was to save did not end with an answer. The context stays.";
      case "not-written":
        return `No fresh start: the session wrote nothing to ${file}. The context stays.`;
      case "no-file":
        return "The session answered, but without a pickup file nothing proves that it saved.";
      case "draft":
        return "No fresh start: there is a draft in the input field. The session saved and keeps its context.";
      case "subagents":
        return "No fresh start: subagents are still running. The session saved and keeps its context.";
      case "turn-began":
        return "No fresh start: the session went on working. It saved and keeps its context.";
      case "mid-turn":
        return "No fresh start: the session was at work when it was asked. It saves, goes on, and keeps its context.";
      default:
        return why satisfies never;
    }
  },
  saveNotStarted: "This session could not begin to save. Ask it yourself to save where it stands.",
  midTurnSavesOnly: "/pause new came while this session was working: it saves and does not start fresh.",
  carryOnUnclear: (file) => `${file} has no clear Auto-continue line of this save: the fresh session waits.`,
  restartFailed: "The fresh start did not work. Use /clear yourself.",
  phraseNotFilled: (phrase) => `The session is fresh. Its pickup phrase: ${phrase}`,

  messageSummary: "Pause: save where you stand",
  askOthers:
    "The user takes a break and asked for it with /pause. Please write now where you stand to the file that your " +
    "pickup phrase reads in (the 🔑 entry in MEMORY.md; named below as the target where the plugin knows it), else to " +
    "the memory where it belongs.",
  askSelf: ({ phrase, file }) =>
    file === ""
      ? "Pause: write now where you stand to the memory where it belongs, the way you usually keep it."
      : `Pause: write now where you stand to ${file}, the file that “${phrase}” reads in, the way you usually keep it.`,
  askSelfAuto: ({ phrase, file }, token) =>
    `Pause (automatic fresh start): write now where you stand to ${file}, the file that “${phrase}” reads in, the way ` +
    "you usually keep it. Be brief, only what is new. Write one line more, either " +
    `\`Auto-continue: yes — <next concrete step> ${tokenMark(token)}\` or ` +
    `\`Auto-continue: no — <reason> ${tokenMark(token)}\`, with this save's token ${tokenMark(token)} at its end, and ` +
    "only one of the words yes and no in it. If the file has such a line already, replace it, even when it would stay " +
    "the same otherwise; there must be only one. Choose no when the next step needs the user: to look at something or " +
    "approve it, a decision, money, legal questions, a deployment to production, or when your last message asked them " +
    "something (then write the question down, too). Ask nothing, and do nothing else afterwards.",
  rules:
    "Be brief, only what is new. If this request interrupted your work, go on with it afterwards; if you were waiting " +
    "for the user, do nothing else afterwards. Ask nothing, and do not write back.",
  target: ({ phrase, file }) => `Target (“${phrase}” reads it in): ${file}`,
  midTurn: "You were in the middle of your work: go on with it after saving, if something is left.",
  atRest: "You were waiting for the user: do nothing else after saving.",
  afterRestart: (carryOn) => {
    switch (carryOn) {
      case "yes":
        return (
          "Automatic fresh start: read in where things stand and check it against the repository as usual, then do the " +
          "step of `Auto-continue: yes` and carry on with the plan. Where a step needs the user, stop there and ask."
        );
      case "no":
        return (
          "Automatic fresh start: read in where things stand, check it, report in brief (with the reason of " +
          "`Auto-continue: no`), then wait."
        );
      case "unclear":
        return (
          "Automatic fresh start: read in where things stand, check it, report in brief, then wait. The save had no " +
          "clear `Auto-continue` line."
        );
      default:
        return carryOn satisfies never;
    }
  },
};

const DE: Texts = {
  locale: "de-DE",

  sessionsCommand: "Alle laufenden Claude-Sessions: Thema, Kontext, Cache warm oder kalt",
  pauseCommand: "Vor einer Pause: warme Sessions sichern ihren Stand; mit neu starten sie danach frisch",
  pauseHint: "[neu|selbst|auto|abbrechen]",
  usage:
    "Aufruf: /pause (warme Sessions sichern ihren Stand), /pause neu (sie sichern und starten dann frisch mit ihrer " +
    "Pickup-Phrase), /pause selbst (nur diese Session sichert und startet frisch), /pause auto (wie selbst; sie macht " +
    "von allein weiter, wenn sie Auto-Weiter: ja geschrieben hat), /pause abbrechen (diese Session startet nicht frisch)",

  paneTitle: "Sessions",
  opened: "Die Übersicht der Sessions ist offen.",
  closed: "Die Übersicht ist zu.",
  reading: "Sessions werden gelesen …",
  unreadable: (why) => `Die Sessions lassen sich nicht lesen: ${why}`,
  summary: (sessions, warm, at) => `${sessions} ${sessions === 1 ? "Session" : "Sessions"} · ${warm} warm · ${at}`,
  thisOne: "diese",
  withoutPlugin: "ohne Plugin",
  unverified: "vielleicht schon beendet",
  saving: "⏳ sichert …",
  saved: "✓ gesichert",
  noTopic: "–",
  contextUnknown: "Kontext unbekannt",
  warmth: (warmth) => {
    switch (warmth.state) {
      case "working":
        return "arbeitet";
      case "warm":
        return `warm, noch ${Math.max(1, Math.round(warmth.leftMs / 60_000))} Min.`;
      case "cold":
        return `❄ kalt seit ${span(warmth.sinceMs, "Min.", "Std.", "Tagen")}`;
      case "unanswered":
        return "noch ohne Antwort";
      case "unknown":
        return "letzte Antwort unbekannt";
      default:
        return warmth satisfies never;
    }
  },

  nothingArmed: "Für diese Session ist kein Neustart geplant.",
  cancelled: "Abgebrochen: Diese Session startet nach dem Sichern nicht frisch und behält ihren Kontext.",
  alreadySaving: "Diese Session sichert schon. Warte, bis sie fertig ist, oder nimm /pause abbrechen.",
  noPickup: ({ phrase, isAmbiguous }) => {
    if (phrase === "")
      return "Kein Neustart: Diese Session begann ohne Pickup-Phrase, also gibt es keine Pickup-Datei.";
    return isAmbiguous
      ? `Kein Neustart: „${phrase}“ steht in MEMORY.md für mehrere Dateien, also gibt es keine Pickup-Datei.`
      : `Kein Neustart: „${phrase}“ hat keinen 🔑-Eintrag in MEMORY.md, also gibt es keine Pickup-Datei.`;
  },
  startsFresh: (file, phrase) =>
    `Diese Session sichert nach ${file} und startet mit „${phrase}“ frisch, wenn sie die Datei geschrieben hat.`,
  startsFreshAlone: (file, phrase) =>
    `Diese Session sichert nach ${file} und startet mit „${phrase}“ frisch, wenn sie die Datei geschrieben hat; mit ` +
    "Auto-Weiter: ja macht sie dann von allein weiter.",
  savesOnly: (file) => (file === "" ? "Diese Session sichert ihren Stand." : `Diese Session sichert nach ${file}.`),
  savesUnlisted: ({ phrase, isAmbiguous }) => {
    if (phrase === "") return "Diese Session sichert; ohne Pickup-Phrase am Anfang startet sie nicht frisch.";
    return isAmbiguous
      ? `Diese Session sichert; „${phrase}“ steht in MEMORY.md für mehrere Dateien, darum startet sie nicht frisch.`
      : `Diese Session sichert; „${phrase}“ hat keinen 🔑-Eintrag in MEMORY.md, darum startet sie nicht frisch.`;
  },
  alsoAsked: (names) => `Es sichern auch: ${names}.`,
  saveOnlyThere: (names) => `Ohne Plugin, also nur Sichern ohne Neustart: ${names}.`,
  cold: (names) => `Ausgelassen, weil ihr Cache kalt ist: ${names}.`,
  unknownAge: (names) => `Ausgelassen, weil nicht bekannt ist, ob ihr Cache warm ist: ${names}.`,
  unreached: (names) => `Nicht erreicht: ${names}.`,

  stay: (why, file) => {
    switch (why) {
      case "only-save":
        return "Es war nur um Sichern gebeten.";
      case "typed":
        return "Kein Neustart: Du tippst gerade. Die Session sichert und behält ihren Kontext.";
      case "stopped":
        return "Kein Neustart: Du hast die Session angehalten. Sie behält ihren Kontext.";
      case "cancelled":
        return "Kein Neustart: Er wurde abgebrochen. Die Session hat gesichert und behält ihren Kontext.";
      case "not-clean":
        return "Kein Neustart: Die Runde zum Sichern endete nicht mit einer Antwort. Der Kontext bleibt.";
      case "not-written":
        return `Kein Neustart: Die Session hat nichts in ${file} geschrieben. Der Kontext bleibt.`;
      case "no-file":
        return "Die Session hat geantwortet, aber ohne Pickup-Datei beweist nichts, dass sie gesichert hat.";
      case "draft":
        return "Kein Neustart: Im Eingabefeld steht ein Entwurf. Die Session hat gesichert und behält ihren Kontext.";
      case "subagents":
        return "Kein Neustart: Subagenten laufen noch. Die Session hat gesichert und behält ihren Kontext.";
      case "turn-began":
        return "Kein Neustart: Die Session arbeitet schon weiter. Sie hat gesichert und behält ihren Kontext.";
      case "mid-turn":
        return "Kein Neustart: Die Session war mitten in der Arbeit. Sie sichert, macht weiter und behält ihren Kontext.";
      default:
        return why satisfies never;
    }
  },
  saveNotStarted: "Diese Session konnte nicht mit dem Sichern anfangen. Bitte sie selbst, ihren Stand zu sichern.",
  midTurnSavesOnly: "/pause neu kam mitten in die Arbeit dieser Session: Sie sichert und startet nicht frisch.",
  carryOnUnclear: (file) =>
    `${file} hat keine eindeutige Auto-Weiter-Zeile dieser Sicherung: Die frische Session wartet.`,
  restartFailed: "Der Neustart hat nicht geklappt. Nimm selbst /clear.",
  phraseNotFilled: (phrase) => `Die Session ist frisch. Ihre Pickup-Phrase: ${phrase}`,

  messageSummary: "Pause: Stand sichern",
  askOthers:
    "Der Nutzer macht eine Pause und hat mit /pause darum gebeten: Schreib jetzt deinen Stand in die Datei, die deine " +
    "Pickup-Phrase einliest (der 🔑-Eintrag in MEMORY.md; unten als Ziel genannt, wo das Plugin es kennt), sonst in das " +
    "Memory, in das er gehört.",
  askSelf: ({ phrase, file }) =>
    file === ""
      ? "Pause: Schreib jetzt deinen Stand in das Memory, in das er gehört, so wie du es sonst führst."
      : `Pause: Schreib jetzt deinen Stand in ${file}, die Datei, die „${phrase}“ einliest, so wie du sie sonst führst.`,
  askSelfAuto: ({ phrase, file }, token) =>
    `Pause (automatischer Neustart): Schreib jetzt deinen Stand in ${file}, die Datei, die „${phrase}“ einliest, so wie ` +
    "du sie sonst führst. Kurz, nur das Neue. Schreib dazu eine Zeile, entweder " +
    `\`Auto-Weiter: ja — <nächster konkreter Schritt> ${tokenMark(token)}\` oder ` +
    `\`Auto-Weiter: nein — <Grund> ${tokenMark(token)}\`, mit der Kennung ${tokenMark(token)} dieser Sicherung am Ende ` +
    "und nur einem der Wörter ja und nein darin. Hat die Datei schon so eine Zeile, dann ersetze sie, auch wenn sie " +
    "sonst gleich bliebe; es darf nur eine geben. Nimm nein, wenn der nächste Schritt den Nutzer braucht: um etwas " +
    "anzusehen oder abzunehmen, für eine Entscheidung, Geld, Rechtliches, ein Deployment in die Produktion, oder wenn " +
    "deine letzte Nachricht ihn etwas gefragt hat (dann schreib auch die Frage auf). Frag nichts und tu danach nichts weiter.",
  rules:
    "Kurz, nur das Neue. Hat diese Bitte deine Arbeit unterbrochen, dann mach danach dort weiter; hast du auf den Nutzer " +
    "gewartet, dann tu danach nichts weiter. Frag nichts und schreib nicht zurück.",
  target: ({ phrase, file }) => `Ziel („${phrase}“ liest es ein): ${file}`,
  midTurn: "Du warst mitten in deiner Arbeit: Mach nach dem Sichern damit weiter, wenn noch etwas offen ist.",
  atRest: "Du hast auf den Nutzer gewartet: Tu nach dem Sichern nichts weiter.",
  afterRestart: (carryOn) => {
    switch (carryOn) {
      case "yes":
        return (
          "Automatischer Neustart: Lies den Stand ein und prüfe ihn wie üblich am Repository, dann mach den Schritt aus " +
          "`Auto-Weiter: ja` und arbeite im Plan weiter. Braucht ein Schritt den Nutzer, dann halte dort an und frag."
        );
      case "no":
        return (
          "Automatischer Neustart: Lies den Stand ein, prüfe ihn, berichte kurz (mit dem Grund aus `Auto-Weiter: nein`), " +
          "dann warte."
        );
      case "unclear":
        return (
          "Automatischer Neustart: Lies den Stand ein, prüfe ihn, berichte kurz, dann warte. Die Sicherung hatte keine " +
          "eindeutige `Auto-Weiter`-Zeile."
        );
      default:
        return carryOn satisfies never;
    }
  },
};

const TEXTS: Readonly<Record<Language, Texts>> = { en: EN, de: DE };

/** The texts of a language. */
export function textsIn(language: Language): Texts {
  return TEXTS[language];
}

function span(ms: number, minutes: string, hours: string, days: string): string {
  const { unit, count } = spanOf(ms);
  return `${count} ${unit === "minutes" ? minutes : unit === "hours" ? hours : days}`;
}
