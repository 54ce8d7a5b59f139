import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerMessages, type MessagesBody } from "./anthropic";
import { answerChat, type ChatBody } from "./chat-completions";
import { playedName, turnFor, type Answer, type Message } from "./conversation";
import { sendJson } from "./exchange";
import { Gate } from "./gate";
import { answerGenerate, type GenerateBody } from "./generate-content";
import { answerResponses, type ResponsesBody } from "./responses";
import { waitUntil } from "../wait-until";

/**
 * A model on loopback that says what a scenario wants it to say, in the four protocols the agents speak: Anthropic's
 * Messages, OpenAI's Responses and Chat Completions, and Gemini's. It checks no key, since there is none.
 */
export class ModelServer {
  /** What it was asked, for whoever looks into a failure. */
  readonly requests: string[] = [];
  private readonly scripts = new Map<string, readonly Answer[]>();
  private readonly asked = new Set<string>();
  private compaction = Promise.resolve();

  private constructor(private readonly server: Server) {
    server.on("request", (request, response) => {
      // A client that went away is a scenario too.
      this.answer(request, response).catch(() => response.destroy());
    });
    // It is the agents' proxy too: whatever they want from elsewhere ends here.
    server.on("connect", ({ url }, socket) => {
      this.requests.push(`CONNECT ${url}`);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
  }

  static async start(): Promise<ModelServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new ModelServer(server);
  }

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}`;
  }

  /** What a prompt that plays `name` gets, answer by answer. */
  learn(name: string, turns: readonly Answer[]): void {
    this.scripts.set(name, turns);
  }

  /** Waits until a prompt that plays `name` has come. */
  async isAskedTo(name: string): Promise<void> {
    await waitUntil(
      () => (this.asked.has(name) ? true : undefined),
      () => `nobody asked to play ${name}`,
    );
  }

  /** Holds the next summary of a conversation back. */
  holdCompaction(): Gate {
    const gate = new Gate();
    this.compaction = gate.opened;
    return gate;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += String(chunk);
    const path = new URL(request.url ?? "/", "http://model").pathname;
    this.requests.push(`${request.method} ${path}`);
    if (request.method === "GET" && path.includes("/models")) {
      return sendJson(response, { object: "list", data: [{ id: "test-model", object: "model", type: "model" }] });
    }
    const common = {
      response,
      turnFor: (messages: readonly Message[]) => {
        const name = playedName(messages);
        if (name !== undefined) this.asked.add(name);
        return turnFor(messages, this.scripts);
      },
      compaction: this.compaction,
    };
    const body: unknown = text === "" ? {} : JSON.parse(text);
    if (path.endsWith("/count_tokens")) return sendJson(response, { input_tokens: 1000 });
    if (path.endsWith(":countTokens")) return sendJson(response, { totalTokens: 1000 });
    if (path.endsWith("/messages")) return answerMessages({ ...common, body: body as MessagesBody });
    if (path.endsWith("/responses")) return answerResponses({ ...common, body: body as ResponsesBody });
    if (path.endsWith("/chat/completions")) return answerChat({ ...common, body: body as ChatBody });
    if (/:(stream)?[gG]enerateContent$/.test(path)) {
      const streams = path.endsWith(":streamGenerateContent");
      return answerGenerate({ ...common, body: body as GenerateBody }, { streams });
    }
    sendJson(response, { error: { type: "not_found_error", message: "not played here" } }, 404);
  }
}
