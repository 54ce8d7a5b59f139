import {
  DISPLAY_STATES,
  PRIORITY,
  SIGNALS,
  aggregateForm,
  displayStateOf,
  priorityOf,
  signalNamed,
  type Signal,
} from "../../src/session/signal";
import { labelOf } from "../../src/session/signal-label";

test("vector 1: a name is matched whatever its case, hyphens and spaces", () => {
  expect(signalNamed("tool-done")).toBe("tool_done");
  expect(signalNamed(" session start ")).toBe("session_start");
  expect(signalNamed("PERMISSION")).toBe("permission");
  expect(signalNamed("PermissionRequest")).toBe("permission_request");
  expect(signalNamed("max-tokens")).toBe("max_tokens");
});

test.each<[string, Signal]>([
  ["tooluse", "working"],
  ["tool_use", "working"],
  ["Tool-Use", "working"],
  ["pre_tool_use", "working"],
  ["post-tool-use", "tool_done"],
  ["SubagentStart", "subagent_start"],
  ["subagentstop", "subagent_stop"],
  ["permissionrequest", "permission_request"],
  ["maxtokens", "max_tokens"],
  ["Failed", "failure"],
])("%s means %s", (name, signal) => {
  expect(signalNamed(name)).toBe(signal);
});

test.each(["", " ", "bogus", "constructor", "__proto__", "work ing", "posttooluse", "tool  done"])(
  "%j is no signal",
  (name) => {
    expect(signalNamed(name)).toBeUndefined();
  },
);

/** The original's table: signal, display state, priority, aggregate form, name and action in its own language. */
const TABLE: [Signal, string, number, Signal, string, string][] = [
  ["idle", "ready", 0, "idle", "空闲", "不用处理"],
  ["thinking", "active", 50, "thinking", "思考中", "不用处理"],
  ["working", "active", 50, "working", "工作中", "不用处理"],
  ["tool_done", "active", 50, "tool_done", "步骤完成", "不用处理"],
  ["subagent_start", "active", 50, "subagent_start", "子 Agent 开始", "不用处理"],
  ["subagent_stop", "active", 50, "subagent_stop", "子 Agent 完成", "不用处理"],
  ["attention", "needs_review", 70, "attention", "需要查看", "有空看一眼"],
  ["notification", "needs_review", 70, "attention", "通知", "有空看一眼"],
  ["done", "completed", 40, "done", "已完成", "不用处理"],
  ["permission", "permission", 80, "permission", "请求授权", "马上处理"],
  ["permission_request", "permission", 80, "permission", "等待授权", "马上处理"],
  ["blocked", "blocked", 90, "blocked", "阻塞/失败", "马上处理"],
  ["failure", "blocked", 90, "blocked", "失败", "马上处理"],
  ["error", "blocked", 90, "blocked", "错误", "马上处理"],
  ["exception", "blocked", 90, "blocked", "异常", "马上处理"],
  ["max_tokens", "blocked", 90, "blocked", "上下文阻塞", "马上处理"],
  ["stale", "stale", 60, "stale", "状态不可信", "确认状态"],
  ["session_start", "ready", 0, "idle", "会话开始", "不用处理"],
  ["session_end", "ready", 0, "idle", "会话结束", "不用处理"],
  ["turn_end", "ready", 0, "idle", "回合结束", "不用处理"],
  ["off", "paused", 100, "off", "已关闭", "监控已暂停"],
  ["pause", "paused", 100, "off", "已暂停", "监控已暂停"],
  ["paused", "paused", 100, "off", "已暂停", "监控已暂停"],
];

test("there are the original's 23 signals, in its order", () => {
  expect(SIGNALS).toEqual(TABLE.map(([signal]) => signal));
  expect(DISPLAY_STATES.map((state) => PRIORITY[state])).toEqual([100, 90, 80, 70, 60, 50, 40, 0]);
});

test.each(TABLE)(
  "%s is %s with priority %i, %s in an aggregate, and reads %s",
  (signal, display, priority, form, name, action) => {
    expect(displayStateOf(signal)).toBe(display);
    expect(priorityOf(signal)).toBe(priority);
    expect(aggregateForm(signal)).toBe(form);
    const label = labelOf(signal, "zh");
    expect([label.name, label.action]).toEqual([name, action]);
    expect(labelOf(signal, "en").name).toMatch(/^[A-Z][\x20-\x7e]+$/);
  },
);
