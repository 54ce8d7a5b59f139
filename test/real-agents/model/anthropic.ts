import type { Message } from "./conversation";
import { beginStream, newId, sendEvent, sendJson, type Exchange } from "./exchange";
import { OPTIONS, piecesOf, type Call, type NamedCall, type Turn } from "./turn";

/** A request of `POST /v1/messages`, as far as it matters here. */
export interface MessagesBody {
  model?: string;
  stream?: boolean;
  messages?: { role: "user" | "assistant"; content: string | { type: string; text?: string }[] }[];
  tools?: unknown[];
  output_config?: { format?: Format };
  output_format?: Format;
}

interface Format {
  type?: string;
  schema?: { properties?: Record<string, { type?: string }> };
}

/** Answers as the Messages API does. */
export async function answerMessages({ body, response, turnFor, compaction }: Exchange<MessagesBody>): Promise<void> {
  const messages = messagesOf(body);
  const turn = (await asideOf(body, messages, compaction)) ?? turnFor(messages);
  if (turn.error !== undefined) {
    const { status, type, message } = turn.error;
    return sendJson(response, { type: "error", error: { type, message } }, status);
  }
  const usage = { input_tokens: 1000, output_tokens: 40 };
  const whole = {
    id: newId("msg_"),
    type: "message",
    role: "assistant",
    model: body.model,
    stop_sequence: null,
    usage,
  };
  const called = turn.call === undefined ? undefined : namedCall(turn.call);
  const use = called && { type: "tool_use", id: newId("toolu_"), ...called };
  const stop_reason = use === undefined ? "end_turn" : "tool_use";
  if (body.stream !== true) {
    const content = [{ type: "text", text: turn.text ?? "" }, ...(use === undefined ? [] : [use])];
    return sendJson(response, { ...whole, content, stop_reason });
  }

  beginStream(response);
  const send = (type: string, fields: object) => sendEvent(response, { type, ...fields }, type);
  send("message_start", { message: { ...whole, content: [], stop_reason: null } });
  let index = 0;
  if (turn.text !== undefined) {
    send("content_block_start", { index, content_block: { type: "text", text: "" } });
    for await (const text of piecesOf(turn))
      send("content_block_delta", { index, delta: { type: "text_delta", text } });
    send("content_block_stop", { index });
    index++;
  }
  if (use !== undefined) {
    send("content_block_start", { index, content_block: { ...use, input: {} } });
    send("content_block_delta", {
      index,
      delta: { type: "input_json_delta", partial_json: JSON.stringify(use.input) },
    });
    send("content_block_stop", { index });
  }
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage });
  send("message_stop", {});
  response.end();
}

function messagesOf({ messages = [] }: MessagesBody): Message[] {
  return messages.map(({ role, content }) => {
    const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const texts = parts.filter(({ type }) => type === "text").map(({ text = "" }) => text);
    return { role, text: texts.join("\n") };
  });
}

/** Answers that are no part of the conversation: a summary of it, a title for it, a yes or no about it. */
async function asideOf(
  body: MessagesBody,
  messages: readonly Message[],
  compaction: Promise<void>,
): Promise<Turn | undefined> {
  const last = messages.findLast(({ role }) => role === "user")?.text ?? "";
  if (/detailed summary/i.test(last) && !/play:/.test(last.slice(-200))) {
    await compaction;
    return { text: "<summary>\n1. Primary Request: a summary of the conversation.\n</summary>" };
  }
  const format = body.output_config?.format ?? body.output_format;
  if (format?.type === "json_schema") {
    const fields = Object.entries(format.schema?.properties ?? {});
    const values = fields.map(([name, { type }]) => [name, type === "boolean" ? false : "A title"]);
    return { text: JSON.stringify(Object.fromEntries(values)) };
  }
  return (body.tools ?? []).length === 0 ? { text: "An answer on the side" } : undefined;
}

/** With the tool names of Claude Code. */
function namedCall(call: Call): NamedCall {
  switch (call.tool) {
    case "shell":
      return {
        name: "Bash",
        input: {
          command: call.command,
          description: "A command of the test",
          ...(call.inBackground === true ? { run_in_background: true } : {}),
        },
      };
    case "write":
      return { name: "Write", input: { file_path: call.file, content: call.text } };
    case "ask":
      return {
        name: "AskUserQuestion",
        input: { questions: [{ question: call.question, header: "Color", multiSelect: false, options: OPTIONS }] },
      };
    case "subagent":
      return {
        name: "Agent",
        input: { description: "an errand", prompt: call.prompt, subagent_type: "general-purpose" },
      };
  }
}
