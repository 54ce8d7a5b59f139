import type { Message } from "./conversation";
import { beginStream, newId, sendEvent, sendJson, type Exchange } from "./exchange";
import { OPTIONS, piecesOf, type Call, type NamedCall } from "./turn";

/** A request of `POST /v1/responses`, as far as it matters here. */
export interface ResponsesBody {
  model?: string;
  stream?: boolean;
  input?: string | { type?: string; role?: string; content?: string | { text?: string }[] }[];
  tools?: { type?: string; name?: string; tools?: { name: string }[] }[];
}

/** Answers as the Responses API does. */
export async function answerResponses({ body, response, turnFor }: Exchange<ResponsesBody>): Promise<void> {
  const tools = toolNamesOf(body);
  // Codex has a title made in a thread that may use no tool.
  const turn = tools.length === 0 ? { text: "A title" } : turnFor(messagesOf(body));
  if (turn.error !== undefined) {
    const { status, type, message } = turn.error;
    return sendJson(response, { error: { type, code: type, message } }, status);
  }
  const message = {
    type: "message",
    id: newId("msg_"),
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: turn.text ?? "", annotations: [] }],
  };
  const output: object[] = turn.text === undefined ? [] : [message];
  if (turn.call !== undefined) {
    const { input, ...named } = namedCall(turn.call, tools);
    const ids = { id: newId("fc_"), call_id: newId("call_") };
    output.push({ type: "function_call", ...ids, ...named, arguments: JSON.stringify(input), status: "completed" });
  }
  const base = { id: newId("resp_"), object: "response", model: body.model, status: "in_progress", output: [] };
  const usage = {
    ...{ input_tokens: 1000, input_tokens_details: { cached_tokens: 0 } },
    ...{ output_tokens: 40, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 1040 },
  };
  const completed = { ...base, status: "completed", output, usage };
  if (body.stream !== true) return sendJson(response, completed);

  beginStream(response);
  let sequence_number = 0;
  const send = (type: string, fields: object) =>
    sendEvent(response, { type, sequence_number: sequence_number++, ...fields }, type);
  send("response.created", { response: base });
  for (const [output_index, item] of output.entries()) {
    send("response.output_item.added", { output_index, item: { ...item, status: "in_progress" } });
    if (item === message) {
      const place = { item_id: message.id, output_index, content_index: 0 };
      for await (const delta of piecesOf(turn)) send("response.output_text.delta", { ...place, delta });
      send("response.output_text.done", { ...place, text: turn.text });
    }
    send("response.output_item.done", { output_index, item });
  }
  send("response.completed", { response: completed });
  response.end();
}

function messagesOf({ input = [] }: ResponsesBody): Message[] {
  if (typeof input === "string") return [{ role: "user", text: input }];
  return input.map(({ type = "message", role, content = "" }): Message => {
    if (type.endsWith("_call")) return { role: "assistant", text: "" };
    if (type !== "message" || (role !== "user" && role !== "assistant")) return { role: "system", text: "" };
    return { role, text: typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n") };
  });
}

function toolNamesOf({ tools = [] }: ResponsesBody): string[] {
  return tools.flatMap(({ type = "", name, tools: inner }) => inner?.map((tool) => tool.name) ?? [name ?? type]);
}

/** With the tool names of Codex, which differ with the model it believes to talk to. */
function namedCall(call: Call, tools: readonly string[]): NamedCall {
  switch (call.tool) {
    case "shell":
      if (tools.includes("exec_command"))
        return { name: "exec_command", input: { cmd: call.command, ...outside(call) } };
      if (tools.includes("shell_command")) {
        return { name: "shell_command", input: { command: call.command, ...outside(call) } };
      }
      return { name: "shell", input: { command: ["sh", "-c", call.command], ...outside(call) } };
    case "write": {
      // It has no tool of its own for that which every model gets.
      const quoted = [call.text, call.file].map((word) => `'${word.replaceAll("'", `'\\''`)}'`);
      return namedCall({ tool: "shell", command: `printf %s ${quoted.join(" > ")}` }, tools);
    }
    case "ask":
      return {
        name: "request_user_input",
        input: { questions: [{ id: "color", header: "Color", question: call.question, options: OPTIONS }] },
      };
    case "subagent":
      return { name: "spawn_agent", namespace: "multi_agent_v1", input: { message: call.prompt } };
  }
}

function outside({ outsideSandbox }: { outsideSandbox?: boolean }): object {
  if (outsideSandbox !== true) return {};
  return { sandbox_permissions: "require_escalated", justification: "the test wants this" };
}
