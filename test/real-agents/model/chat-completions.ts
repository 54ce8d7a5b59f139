import type { Message } from "./conversation";
import { beginStream, newId, sendEvent, sendJson, type Exchange } from "./exchange";
import { OPTIONS, piecesOf, type Call, type NamedCall } from "./turn";

/** A request of `POST /v1/chat/completions`, as far as it matters here. */
export interface ChatBody {
  model?: string;
  stream?: boolean;
  messages?: { role: string; content?: string | { text?: string }[] }[];
  tools?: unknown[];
}

/** Answers as the Chat Completions API does. */
export async function answerChat({ body, response, turnFor }: Exchange<ChatBody>): Promise<void> {
  // Titles are asked for without tools.
  const turn = (body.tools ?? []).length === 0 ? { text: "A title" } : turnFor(messagesOf(body));
  if (turn.error !== undefined) {
    const { status, type, message } = turn.error;
    return sendJson(response, { error: { type, code: type, message } }, status);
  }
  const called = turn.call === undefined ? undefined : namedCall(turn.call);
  const tool_calls = called && [
    {
      index: 0,
      id: newId("call_"),
      type: "function",
      function: { name: called.name, arguments: JSON.stringify(called.input) },
    },
  ];
  const finish_reason = tool_calls === undefined ? "stop" : "tool_calls";
  const usage = { prompt_tokens: 1000, completion_tokens: 40, total_tokens: 1040 };
  const base = { id: newId("chatcmpl-"), created: Math.floor(Date.now() / 1000), model: body.model };
  if (body.stream !== true) {
    const message = { role: "assistant", content: turn.text ?? null, ...(tool_calls && { tool_calls }) };
    const choices = [{ index: 0, message, finish_reason }];
    return sendJson(response, { ...base, object: "chat.completion", choices, usage });
  }

  beginStream(response);
  const send = (fields: object) => sendEvent(response, { ...base, object: "chat.completion.chunk", ...fields });
  const sendDelta = (delta: object, reason: string | null = null) =>
    send({ choices: [{ index: 0, delta, finish_reason: reason }] });
  sendDelta({ role: "assistant", content: "" });
  if (turn.text !== undefined) for await (const content of piecesOf(turn)) sendDelta({ content });
  if (tool_calls !== undefined) sendDelta({ tool_calls });
  sendDelta({}, finish_reason);
  send({ choices: [], usage });
  sendEvent(response, "[DONE]");
  response.end();
}

function messagesOf({ messages = [] }: ChatBody): Message[] {
  return messages.map(({ role, content }): Message => {
    if (role !== "user" && role !== "assistant") return { role: "system", text: "" };
    const text = typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join("\n");
    return { role, text };
  });
}

/** With the tool names of opencode. */
function namedCall(call: Call): NamedCall {
  switch (call.tool) {
    case "shell":
      return { name: "bash", input: { command: call.command, description: "A command of the test" } };
    case "write":
      return { name: "write", input: { filePath: call.file, content: call.text } };
    case "ask":
      return {
        name: "question",
        input: { questions: [{ question: call.question, header: "Color", options: OPTIONS }] },
      };
    case "subagent":
      return { name: "task", input: { description: "an errand", prompt: call.prompt, subagent_type: "general" } };
  }
}
