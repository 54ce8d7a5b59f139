import type { Message } from "./conversation";
import { beginStream, newId, sendEvent, sendJson, type Exchange } from "./exchange";
import { OPTIONS, piecesOf, type Call, type NamedCall, type Turn } from "./turn";

/** A request of `POST /v1beta/models/<model>:generateContent`, as far as it matters here. */
export interface GenerateBody {
  contents?: { role?: string; parts?: { text?: string }[] }[];
  tools?: { functionDeclarations?: unknown[] }[];
  generationConfig?: { responseJsonSchema?: Schema; responseSchema?: Schema };
}

interface Schema {
  properties?: Record<string, { type?: string; enum?: string[] }>;
}

/** Answers as the Gemini API does. */
export async function answerGenerate(
  { body, response, turnFor }: Exchange<GenerateBody>,
  { streams }: { streams: boolean },
): Promise<void> {
  const turn = asideOf(body) ?? turnFor(messagesOf(body));
  if (turn.error !== undefined) {
    const { status, message } = turn.error;
    return sendJson(response, { error: { code: status, message, status: "INVALID_ARGUMENT" } }, status);
  }
  const called = turn.call === undefined ? undefined : namedCall(turn.call);
  const calls =
    called === undefined ? [] : [{ functionCall: { id: newId("fc-"), name: called.name, args: called.input } }];
  const usageMetadata = { promptTokenCount: 1000, candidatesTokenCount: 40, totalTokenCount: 1040 };
  if (!streams) {
    const parts = [...(turn.text === undefined ? [] : [{ text: turn.text }]), ...calls];
    const candidates = [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }];
    return sendJson(response, { candidates, usageMetadata });
  }

  beginStream(response);
  const send = (parts: object[], fields: object = {}) =>
    sendEvent(response, { candidates: [{ content: { role: "model", parts }, index: 0, ...fields }], usageMetadata });
  if (turn.text !== undefined) for await (const text of piecesOf(turn)) send([{ text }]);
  send(calls.length > 0 ? calls : [{ text: "" }], { finishReason: "STOP" });
  response.end();
}

function messagesOf({ contents = [] }: GenerateBody): Message[] {
  return contents.map(({ role, parts = [] }) => ({
    role: role === "model" ? "assistant" : "user",
    text: parts.map(({ text = "" }) => text).join("\n"),
  }));
}

/** Answers that are no part of the conversation: which model to take, who speaks next. */
function asideOf({ generationConfig, tools = [] }: GenerateBody): Turn | undefined {
  const schema = generationConfig?.responseJsonSchema ?? generationConfig?.responseSchema;
  if (schema !== undefined) {
    const values = Object.entries(schema.properties ?? {}).map(([name, { type = "", enum: choices }]) => {
      if (name === "next_speaker") return [name, "user"];
      if (choices !== undefined) return [name, choices[0]];
      return [name, /bool/i.test(type) ? false : /int|num/i.test(type) ? 1 : /array/i.test(type) ? [] : "flash"];
    });
    return { text: JSON.stringify(Object.fromEntries(values)) };
  }
  const hasTools = tools.some(({ functionDeclarations = [] }) => functionDeclarations.length > 0);
  return hasTools ? undefined : { text: "An answer on the side" };
}

/** With the tool names of Gemini CLI. */
function namedCall(call: Call): NamedCall {
  switch (call.tool) {
    case "shell":
      return { name: "run_shell_command", input: { command: call.command, description: "A command of the test" } };
    case "write":
      return { name: "write_file", input: { file_path: call.file, content: call.text } };
    case "ask":
      return {
        name: "ask_user",
        input: { questions: [{ question: call.question, header: "Color", type: "choice", options: OPTIONS }] },
      };
    case "subagent":
      return { name: "delegate_to_agent", input: { prompt: call.prompt } };
  }
}
