import type { LabelLanguage } from "../../session/signal-label";
import type { Environment } from "../../store/places";

/**
 * The language of Agent Signal's labels: Chinese where `AGENT_SIGNAL_LANG`, or when that is unset the locale, says so,
 * else US English. Blank variables count as unset.
 */
export function labelLanguageOf(environment: Environment): LabelLanguage {
  const { AGENT_SIGNAL_LANG, LC_ALL, LC_MESSAGES, LANG } = environment;
  const locale = [AGENT_SIGNAL_LANG, LC_ALL, LC_MESSAGES, LANG].find(
    (value) => value !== undefined && value.trim() !== "",
  );
  return /^zh(?![a-z])/i.test(locale?.trim() ?? "") ? "zh" : "en";
}
