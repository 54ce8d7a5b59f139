import { aggregateForm, displayStateOf, type Signal } from "./signal";

/** The languages of Agent Signal's labels: the original's own, and US English. */
export type LabelLanguage = "zh" | "en";

/** How a signal reads: its name, what it means, what to do. */
export interface SignalLabel {
  name: string;
  summary: string;
  action: string;
}

const NAMES: Readonly<Record<Signal, { zh: [name: string, summary: string]; en: [name: string, summary: string] }>> = {
  idle: { zh: ["空闲", "Agent 空闲。"], en: ["Idle", "The agent is idle."] },
  thinking: {
    zh: ["思考中", "Agent 已收到任务，正在思考。"],
    en: ["Thinking", "The agent has a task and is thinking."],
  },
  working: {
    zh: ["工作中", "Agent 正在读写文件、跑工具或测试。"],
    en: ["Working", "The agent is reading or writing files, or running tools or tests."],
  },
  tool_done: {
    zh: ["步骤完成", "一个步骤已完成，Agent 仍在工作流中。"],
    en: ["Step Finished", "A step is finished; the agent goes on."],
  },
  subagent_start: { zh: ["子 Agent 开始", "子 Agent 正在运行。"], en: ["Subagent Started", "A subagent is running."] },
  subagent_stop: {
    zh: ["子 Agent 完成", "子 Agent 已完成，主工作流仍可能继续。"],
    en: ["Subagent Finished", "A subagent is finished; the main work may go on."],
  },
  attention: {
    zh: ["需要查看", "Agent 明确需要你看一眼或继续。"],
    en: ["Needs a Look", "The agent asks you to look or to continue."],
  },
  notification: {
    zh: ["通知", "Agent 发出了需要查看的通知。"],
    en: ["Notification", "The agent sent a notification to look at."],
  },
  done: { zh: ["已完成", "任务完成。"], en: ["Done", "The task is done."] },
  permission: {
    zh: ["请求授权", "Agent 正在请求权限或明确批准。"],
    en: ["Asks Permission", "The agent asks for permission or approval."],
  },
  permission_request: {
    zh: ["等待授权", "Agent 正在等待用户授权。"],
    en: ["Waits for Permission", "The agent waits for your permission."],
  },
  blocked: {
    zh: ["阻塞/失败", "Agent 遇到失败、阻塞或无法继续。"],
    en: ["Blocked or Failed", "The agent failed, is blocked, or cannot continue."],
  },
  failure: { zh: ["失败", "Agent 或工具报告失败。"], en: ["Failure", "The agent or a tool reports a failure."] },
  error: { zh: ["错误", "Agent 或工具报告错误。"], en: ["Error", "The agent or a tool reports an error."] },
  exception: { zh: ["异常", "Agent 或工具报告异常。"], en: ["Exception", "The agent or a tool reports an exception."] },
  max_tokens: {
    zh: ["上下文阻塞", "Agent 因上下文或 token 限制无法继续。"],
    en: ["Context Limit", "The agent cannot continue: a context or token limit is reached."],
  },
  stale: {
    zh: ["状态不可信", "状态文件过期、损坏，或当前状态不可信。"],
    en: ["Not Reliable", "The status is out of date or damaged, so it cannot be relied on."],
  },
  session_start: { zh: ["会话开始", "Agent 空闲。"], en: ["Session Started", "The agent is idle."] },
  session_end: { zh: ["会话结束", "Agent 空闲。"], en: ["Session Ended", "The agent is idle."] },
  turn_end: { zh: ["回合结束", "Agent 空闲。"], en: ["Turn Ended", "The agent is idle."] },
  off: { zh: ["已关闭", "监控已暂停。"], en: ["Off", "Monitoring is paused."] },
  pause: { zh: ["已暂停", "监控已暂停。"], en: ["Paused", "Monitoring is paused."] },
  paused: { zh: ["已暂停", "监控已暂停。"], en: ["Paused", "Monitoring is paused."] },
};

/** A signal's label. Machine keys and values never change with the language, only these texts. */
export function labelOf(signal: Signal, language: LabelLanguage): SignalLabel {
  const [name, summary] = NAMES[signal][language];
  return { name, summary, action: actionOf(signal)[language] };
}

function actionOf(signal: Signal): { zh: string; en: string } {
  const display = displayStateOf(aggregateForm(signal));
  switch (display) {
    case "ready":
    case "active":
    case "completed":
      return { zh: "不用处理", en: "Nothing to do" };
    case "needs_review":
      return { zh: "有空看一眼", en: "Look when you have time" };
    case "permission":
    case "blocked":
      return { zh: "马上处理", en: "Act now" };
    case "stale":
      return { zh: "确认状态", en: "Check the status" };
    case "paused":
      return { zh: "监控已暂停", en: "Monitoring is paused" };
    default:
      return display satisfies never;
  }
}
