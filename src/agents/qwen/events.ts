import { mapClaudeShaped, type ClaudeShape } from "../claude-shaped";
import { inSnakeCase, type Values } from "../fields";
import { isMoment } from "../../files/timestamp";
import { given } from "../../session/given";
import { factsOf } from "../happening";
import type { HookSetting, MapPayload, Mapped } from "../../session/mapping";
import { qwenStop, type QwenStop } from "./payload";

const SHAPE: ClaudeShape = {
  agent: "qwen",
  choices: { ask_user_question: "AskUserQuestion", exit_plan_mode: "ExitPlanMode" },
};

/**
 * Maps what Qwen Code's hooks received: Claude Code's, with tools in lower case and a Stop of its own (hooks reference;
 * seen in recordings of 0.24.4). Esc, a denial and a dismissed question are told by the reminder at the prompt, which
 * comes at once there. A background shell is not listed, and its end fires nothing.
 */
export const mapQwen: MapPayload = (payload, setting) => {
  const fields = inSnakeCase(payload);
  switch (fields.hook_event_name) {
    case "UserPromptSubmit":
      return mapPrompt(fields, setting);
    case "PreToolUse":
      // A call starts once it is allowed, a question's once it is answered: its request has asked.
      return mapClaudeShaped({ agent: SHAPE.agent }, fields, setting);
    case "Stop":
      return mapStop(fields, setting);
    case "SessionDelete":
      // The user deleted it, so nothing of it is unread.
      return mapClaudeShaped(
        SHAPE,
        { ...fields, hook_event_name: "SessionEnd", reason: "clear" },
        setting,
        "SessionDelete",
      );
    default:
      return mapClaudeShaped(SHAPE, fields, setting);
  }
};

/** Every step of a turn is submitted like a prompt, with no text: that is not the user's. */
function mapPrompt(fields: Values, setting: HookSetting): Mapped {
  const mapped = mapClaudeShaped(SHAPE, fields, setting);
  if (mapped.outcome !== "event" || fields.prompt !== "") return mapped;
  return { ...mapped, event: { ...factsOf(mapped.event), kind: "step-started" } };
}

/** Its background tasks are subagents all, and its schedule says when it wakes up next. */
function mapStop(fields: Values, setting: HookSetting): Mapped {
  const { background_tasks: tasks, crons } = qwenStop.parse(fields);
  const mapped = mapClaudeShaped(
    SHAPE,
    {
      ...fields,
      ...given(
        "background_tasks",
        tasks?.filter(isRunning).map((task) => ({ ...task, type: "subagent" })),
      ),
      ...given("session_crons", crons?.filter(isPlanned)),
    },
    setting,
  );
  if (mapped.outcome !== "event" || mapped.event.kind !== "answer-finished") return mapped;
  return { ...mapped, event: { ...mapped.event, ...given("wakeupAt", nextRun(crons ?? [], setting.at)) } };
}

function isRunning({ status }: NonNullable<QwenStop["background_tasks"]>[number]): boolean {
  return !/^(completed|done|failed|cancelled|canceled|stopped|killed)$/i.test(status ?? "");
}

function isPlanned({ enabled }: NonNullable<QwenStop["crons"]>[number]): boolean {
  return enabled !== false;
}

/** The first wake-up that is still to come, in seconds. */
function nextRun(crons: NonNullable<QwenStop["crons"]>, now: number): number | undefined {
  const times = crons
    .filter(isPlanned)
    .map(({ next_run: run }) => (typeof run === "string" ? Date.parse(run) : (run ?? NaN)) / 1000)
    .filter((time) => isMoment(time) && time > now);
  return times.length === 0 ? undefined : Math.min(...times);
}
