import type { Register } from "claude-code";
import { warmthOf, isWarm } from "../core/cache";
import { clockTime, tokenCount } from "../core/figures";
import { isFromSession, isUserHere, promptSource } from "../core/prompt-source";
import { saveState, warmCount } from "../core/session-row";
import { afterToolRan, beforeToolRuns, conversationEnded, keepContext, turnBegan, turnEnded } from "./current-save";
import { askedSessions, shownOverview } from "./overview-state";
import { askedByPeer, pause } from "./pause";
import { report, reported, reportMore } from "./reporting";
import { lookForRequests, tidyAnswered } from "./requests";
import { forgetMark, noteAnswer, renewMark } from "./session-mark";
import { overviewClosed, PANE, refreshAfterTurn, resumeOverview, toggleOverview } from "./sessions-pane";
import { texts } from "./surroundings";
import { decideAfterTurn } from "./turn-end";

/** How often requests from outside are looked for. */
const LOOK_MS = 2_000;

/** A person is at the prompt: only then are there commands, marks and requests. Reports there are always. */
let isAttended = false;

let looks: { cancel: () => void } | undefined;

/** Subagents that still ran when the main conversation was last answered. */
let subagents = 0;

/** Whether the turn's end was told by a hook already. */
let isEndTold = true;

/** Where the last prompts came from, by their text: the hook that reports them does not say. */
const origins = new Map<string, string>();

export const register: Register = (on) => {
  on("session.start", async ($, e, next) => {
    const started = await next(e);
    isAttended = e.isInteractive;
    if (!isAttended) return started;
    const says = await texts($);
    await $.command.register({ name: "sessions", description: says.sessionsCommand });
    await $.command.register({ name: "pause", description: says.pauseCommand, argumentHint: says.pauseHint });
    forgetMark();
    // A resumed session has its phrase already.
    await renewMark($);
    await resumeOverview($);
    void tidyAnswered($).catch(() => undefined);
    looks?.cancel();
    looks = $.clock.every(LOOK_MS, () => {
      void lookForRequests($);
    });
    return started;
  });

  on("command.run", { command: "sessions" }, async ($) => ({ text: await toggleOverview($) }));

  on("command.run", { command: "pause" }, async ($, e) => ({ text: await pause($, e.args) }));

  on("prompt.submit", async ($, e, next) => {
    if (origins.size >= 50) origins.clear();
    origins.set(e.text, e.origin.kind);
    if (!isAttended) return next(e);
    // The user is here: what they have before them is not cleared away.
    if (isUserHere(e.origin.kind)) await keepContext($, "typed");
    if (!isFromSession(e.origin.kind)) return next(e);
    const more = await askedByPeer($, e.text, e.turnId !== undefined);
    return next(more === undefined ? e : { ...e, context: [...(e.context ?? []), more] });
  });

  on("prompt.edit", async ($, e, next) => {
    // A bare move of the cursor changes nothing.
    if (isAttended && (e.inputText !== "" || e.start !== e.end)) void keepContext($, "typed");
    return next(e);
  });

  on("prompt.change", async ($, e, next) => {
    const isUsers = e.origin.kind === "history" || e.origin.kind === "undo";
    if (isAttended && isUsers) void keepContext($, "typed");
    return next(e);
  });

  on("session.stop", async ($, e, next) => {
    if (isAttended) void keepContext($, "stopped");
    return next(e);
  });

  on("turn.start", async ($, e, next) => {
    const started = await next(e);
    if (e.agentId !== undefined) return started;
    isEndTold = false;
    await turnBegan($, e);
    return started;
  });

  on("turn.complete", async ($, e, next) => {
    const done = await next(e);
    if (e.agentId !== undefined) return done;
    turnEnded(e.turnId, await $.clock.now(), e.reason === "aborted");
    // Esc and a refused tool, which no hook tells.
    if (e.reason === "aborted" || !isEndTold) {
      const reason = e.reason === "answer" ? "denied" : e.reason;
      reportMore($, "PluginTurnStopped", { reason, turn_id: e.turnId });
    }
    isEndTold = true;
    if (!isAttended) return done;
    if (e.reason === "answer") await noteAnswer($);
    await decideAfterTurn($, e, subagents);
    void renewMark($);
    void lookForRequests($);
    refreshAfterTurn($);
    return done;
  });

  on("session.end", async ($, e, next) => {
    const done = await next(e);
    if (isAttended) await conversationEnded($);
    if (isAttended && e.reason === "clear") {
      // The process goes on under another id, which is there a moment later; no session.start tells of it.
      $.clock.after(300, () => {
        void renewMark($);
      });
    } else {
      await Promise.race([
        reported(),
        $.clock.sleep(Math.min(500, next.budget.remainingMs / 2)).catch(() => undefined),
      ]);
    }
    return done;
  });

  on("ui.close", async ($, e, next) => {
    if (e.id === PANE) overviewClosed();
    return next(e);
  });

  // What a tool is about to do. Not tool.call: a hook there would keep the user from moving the tool to the background.
  on("tool.check", async ($, e, next) => {
    if (e.tool_use_id !== undefined && e.op === undefined) {
      isEndTold = e.agentId === undefined ? false : isEndTold;
      reportMore($, "PreToolUse", {
        tool_name: e.tool,
        tool_input: e.input,
        tool_use_id: e.tool_use_id,
        ...(e.agentId === undefined ? {} : { agent_id: e.agentId }),
      });
      await beforeToolRuns($, { id: e.tool_use_id, tool: e.tool, input: e.input });
    }
    return next(e);
  });

  on("classic.PostToolUse", async ($, e, next) => {
    report($, "PostToolUse", e);
    await afterToolRan($, e.tool_use_id);
    return next(e);
  });

  on("classic.Stop", async ($, e, next) => {
    isEndTold = true;
    subagents = (e.background_tasks ?? []).filter(({ type }) => type === "subagent").length;
    report($, "Stop", e);
    return next(e);
  });

  on("classic.StopFailure", async ($, e, next) => {
    isEndTold = true;
    report($, "StopFailure", e);
    return next(e);
  });

  on("classic.UserPromptSubmit", async ($, e, next) => {
    // A prompt that no prompt.submit showed is this plugin's own.
    report($, "UserPromptSubmit", { ...e, source: e.source ?? promptSource(origins.get(e.prompt) ?? "plugin") });
    origins.delete(e.prompt);
    return next(e);
  });

  on("classic.SessionStart", async ($, e, next) => {
    report($, "SessionStart", e);
    return next(e);
  });

  on("classic.SessionEnd", async ($, e, next) => {
    report($, "SessionEnd", e);
    return next(e);
  });

  on("classic.PermissionRequest", async ($, e, next) => {
    report($, "PermissionRequest", e);
    return next(e);
  });

  on("classic.PermissionDenied", async ($, e, next) => {
    report($, "PermissionDenied", e);
    return next(e);
  });

  on("classic.PostToolUseFailure", async ($, e, next) => {
    report($, "PostToolUseFailure", e);
    return next(e);
  });

  on("classic.Notification", async ($, e, next) => {
    report($, "Notification", e);
    return next(e);
  });

  on("classic.Elicitation", async ($, e, next) => {
    report($, "Elicitation", e);
    return next(e);
  });

  on("classic.ElicitationResult", async ($, e, next) => {
    report($, "ElicitationResult", e);
    return next(e);
  });

  on("classic.SubagentStart", async ($, e, next) => {
    report($, "SubagentStart", e);
    return next(e);
  });

  on("classic.SubagentStop", async ($, e, next) => {
    report($, "SubagentStop", e);
    return next(e);
  });

  on("classic.PreCompact", async ($, e, next) => {
    report($, "PreCompact", e);
    return next(e);
  });

  on("classic.PostCompact", async ($, e, next) => {
    report($, "PostCompact", e);
    return next(e);
  });

  on("classic.PostModelSwitch", async ($, e, next) => {
    report($, "PostModelSwitch", e);
    return next(e);
  });

  on("classic.CwdChanged", async ($, e, next) => {
    report($, "CwdChanged", e);
    return next(e);
  });

  on("ui.render", { component: "Pane", requestId: "sessions" }, async ($, e) => {
    const { Box, Text } = $.ui.resolve(e);
    const says = await texts($);
    const { at, rows, error } = await shownOverview($);
    const savesAsked = await askedSessions($);
    const self = await $.session.id();
    if (error !== "") return <Text color="error">{says.unreadable(error)}</Text>;
    if (at === 0) return <Text dimColor>{says.reading}</Text>;
    return (
      <Box flexDirection="column">
        <Text dimColor>{says.summary(rows.length, warmCount(rows, at), clockTime(at, says.locale))}</Text>
        {rows.map((row) => {
          const warmth = warmthOf(row, at);
          const isThis = row.sessionId === self;
          const color = warmth.state === "working" ? "success" : isWarm(warmth) ? "warning" : "subtle";
          const state = saveState(row, savesAsked[row.sessionId]);
          const facts = [
            row.contextTokens === undefined ? says.contextUnknown : tokenCount(row.contextTokens),
            row.version,
            row.hasPlugin ? "" : says.withoutPlugin,
            row.isAlive === undefined ? says.unverified : "",
            state === "none" ? "" : state === "saved" ? says.saved : says.saving,
          ].filter((fact) => fact !== "");
          return (
            <Box key={row.sessionId} flexDirection="column">
              <Text> </Text>
              <Text bold={isThis} color={color} wrap="truncate">
                {`${row.name}${isThis ? ` (${says.thisOne})` : ""} · ${says.warmth(warmth)}`}
              </Text>
              <Text wrap="truncate">{`  ${row.topic ?? says.noTopic}`}</Text>
              <Text dimColor wrap="truncate">
                {`  ${facts.join(" · ")}`}
              </Text>
            </Box>
          );
        })}
      </Box>
    );
  });
};
