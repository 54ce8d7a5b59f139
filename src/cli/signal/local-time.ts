import type { Seconds } from "../../session/report";
import type { LabelLanguage } from "../../session/signal-label";

/** A moment in this machine's time zone, as people of the language write it: `5/28/2026, 3:45:00 AM`. */
export function localTime(moment: Seconds, language: LabelLanguage): string {
  const at = new Date(moment * 1000);
  const [year, month, day, hour] = [at.getFullYear(), at.getMonth() + 1, at.getDate(), at.getHours()];
  const minutes = [at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
  return language === "zh"
    ? `${year}/${month}/${day} ${String(hour).padStart(2, "0")}:${minutes}`
    : `${month}/${day}/${year}, ${hour % 12 === 0 ? 12 : hour % 12}:${minutes} ${hour < 12 ? "AM" : "PM"}`;
}
