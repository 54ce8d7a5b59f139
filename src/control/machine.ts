import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { homedir } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { claudeTranscripts } from "../agents/claude/transcript";
import { codexTranscripts } from "../agents/codex/transcript";
import type { Seconds } from "../session/report";
import type { Session } from "../session/session";
import type { Environment } from "../store/places";
import { MachineProcesses } from "../store/process-table";
import { Transcripts } from "../store/transcripts";
import { terminalOfProcess } from "./agent-terminal";
import { programRunner, type RunProgram } from "./run-program";
import type { AskServer, ControlledProcesses, ControlSurroundings } from "./surroundings";

/** How long a server on this machine may take, in milliseconds, and how much of its answer is read, in bytes. */
const SERVER_TIMEOUT_MS = 5_000;
const ANSWER_LIMIT = 1024 * 1024;

/** This machine as control's surroundings; what a test gives takes the place of its own. */
export function machineSurroundings(given: {
  home: string;
  environment: Environment;
  author: string;
  refresh(id: string): Promise<Session | undefined>;
  clock?: () => number;
  run?: RunProgram;
  processes?: ControlledProcesses;
}): ControlSurroundings {
  const { home, environment, author, refresh, clock = Date.now } = given;
  const run = given.run ?? programRunner(environment);
  return {
    home,
    environment,
    author,
    refresh,
    run,
    askServer: askLocalServer,
    processes: given.processes ?? machineProcesses(run),
    now: () => clock() / 1000,
    newId: () => idAt(clock() / 1000),
    transcriptOf: transcriptReader(environment),
    pause: (milliseconds) => pause(milliseconds),
  };
}

/** An id that sorts by its time, which is in it to the millisecond, and is never used twice. */
export function idAt(now: Seconds): string {
  return `${Math.max(0, Math.round(now * 1000))
    .toString(36)
    .padStart(9, "0")}-${randomUUID()}`;
}

/** This machine's processes, looked at anew each time: what was read a second ago is no ground to end one. */
function machineProcesses(run: RunProgram): ControlledProcesses {
  let last = new MachineProcesses();
  return {
    async look(process) {
      last = new MachineProcesses();
      await last.refresh();
      return last.look(process);
    },
    argumentsOf: (pid) => last.argumentsOf(pid),
    parentOf: (pid) => last.parentOf(pid),
    terminalOf: (pid) => terminalOfProcess(pid, run),
    signal: (pid, name) => void process.kill(pid, name),
  };
}

function transcriptReader(environment: Environment): ControlSurroundings["transcriptOf"] {
  const user = environment.HOME?.trim() || homedir();
  const surroundings = { environment, user, platform: process.platform };
  const transcripts = new Transcripts([claudeTranscripts, codexTranscripts].map((kindOf) => kindOf(surroundings)));
  return (session) => {
    const path = transcripts.pathOf(session);
    return { ...(path === undefined ? {} : { path }), prompts: transcripts.factsOf(session)?.prompts ?? [] };
  };
}

/** Asks a server of this machine, without a proxy and without following it elsewhere. */
const askLocalServer: AskServer = ({ url, method, body }) =>
  new Promise((fulfill, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = text === undefined ? {} : { "content-type": "application/json" };
    const request = httpRequest(url, { method, headers, timeout: SERVER_TIMEOUT_MS, agent: false }, (response) => {
      let answer = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        if (answer.length < ANSWER_LIMIT) answer += chunk;
      });
      response.on("end", () => fulfill({ status: response.statusCode ?? 0, text: answer }));
      response.on("error", reject);
    });
    request.on("timeout", () => request.destroy(new Error("it took too long")));
    request.on("error", reject);
    request.end(text);
  });
