import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context, Hono } from "hono";
import type { JsonObject, Refusal } from "@holdpoint/core";
import type { Engine, EventDraft, Thread } from "@holdpoint/engine";
import { readThreadState } from "@holdpoint/langchain";
import type { RequestEnv } from "../access/session.ts";
import type { AgentHost } from "../host/agent-host.ts";
import { type EventLog, rootEvent } from "../host/event-log.ts";
import type { LoadedAgent } from "../host/load-agents.ts";
import { requested } from "../host/work-run.ts";
import { readJson } from "../web/read-json.ts";
import { refuse } from "../web/refusals.ts";
import { type Command, type CommandResult, commandError, commandSchema } from "./commands.ts";
import { type OpenStreams, streamEvents } from "./event-stream.ts";
import { filterSchema } from "./filter.ts";
import { respondToInput } from "./input-respond.ts";
import { startRun } from "./run-start.ts";

/** What the protocol's routes work with. */
export type ProtocolParts = {
  readonly engine: Engine;
  readonly agents: ReadonlyMap<string, LoadedAgent>;
  readonly host: AgentHost;
  readonly log: EventLog;
  readonly streams: OpenStreams;
};

/** The subset of LangGraph's streaming protocol v2 that the `useStream` hooks need. */
export function addProtocolRoutes(app: Hono<RequestEnv>, parts: ProtocolParts): void {
  const { engine } = parts;

  app.get("/threads/:id/state", async (context) => {
    const found = await findThread(parts, context.req.param("id"));
    if ("code" in found) return refuse(context, found);
    return context.json(await stateOf(engine, found));
  });

  app.post("/threads/:id/history", async (context) => {
    const found = await findThread(parts, context.req.param("id"));
    if ("code" in found) return refuse(context, found);
    return context.json([await stateOf(engine, found)]);
  });

  app.post("/threads/:id/commands", async (context) => {
    const body = await readJson(context, commandSchema);
    if (body.type === "refused") return refuse(context, body.refusal);
    return answer(context, parts, context.req.param("id"), body.value);
  });

  app.post("/threads/:id/stream/events", async (context) => {
    const body = await readJson(context, filterSchema);
    if (body.type === "refused") return refuse(context, body.refusal);
    const request = {
      threadId: context.req.param("id"),
      filter: body.value,
      response: context.env.outgoing,
    };
    await streamEvents(engine, parts.log, parts.streams, request);
    return RESPONSE_ALREADY_SENT;
  });

  app.post("/threads/:id/runs/:run/cancel", async (context) => {
    const { id, run: runId } = context.req.param();
    const run = await engine.runs.find(runId);
    if (run?.threadId !== id) return refuse(context, noRun(id, runId));
    await parts.host.cancel(run);
    return context.body(null, 202);
  });
}

async function answer(
  context: Context<RequestEnv>,
  parts: ProtocolParts,
  threadId: string,
  command: Command,
): Promise<Response> {
  const result = await perform(parts, threadId, command, context);
  if (result.type === "error") await showOpenQuestions(parts, threadId);
  const thread = await parts.engine.runs.thread(threadId);
  const meta = { thread_id: threadId, applied_through_seq: thread?.lastSeq ?? 0 };
  return context.json({ ...result, id: command.id, meta });
}

async function perform(
  parts: ProtocolParts,
  threadId: string,
  command: Command,
  context: Context<RequestEnv>,
): Promise<CommandResult> {
  switch (command.method) {
    case "run.start":
      return startRun(parts.engine, parts.agents, threadId, command.params);
    case "input.respond": {
      const responded = await respondToInput(
        parts,
        threadId,
        command.params,
        context.get("reviewer"),
      );
      if (responded.answered.length > 0)
        await announceAnswered(parts, threadId, responded.answered);
      return responded.result;
    }
    default:
      return commandError(
        "unknown_command",
        `The command "${command.method}" is not known; use run.start or input.respond.`,
      );
  }
}

/** Tells open pages that interrupts were answered, wherever the answer came from; one that is still open is left. */
export async function announceAnswered(
  { log }: Pick<ProtocolParts, "log">,
  threadId: string,
  interruptIds: readonly string[],
): Promise<void> {
  const answered = interruptIds.map((interruptId): EventDraft => ({
    ...rootEvent("input.answered", { interrupt_ids: [interruptId] }),
    only: { interruptId, is: "settled" },
  }));
  await log.appendNotice(threadId, answered);
}

/** A client takes a question off its list before it knows the reply; after a refusal it must be told again. */
async function showOpenQuestions(parts: ProtocolParts, threadId: string): Promise<void> {
  const found = await findThread(parts, threadId);
  if ("code" in found) return;
  const { open } = await readThreadState(found.agent, parts.engine, threadId);
  await parts.log.appendNotice(threadId, requested(open));
}

function noRun(threadId: string, runId: string): Refusal {
  return {
    code: "not_found",
    message: `There is no run ${runId} on thread ${threadId}; run.start answers with the id of the run.`,
    details: { threadId, runId },
  };
}

/** A page opens its streams only for a thread that has something next; a run that is due counts. */
async function stateOf(engine: Engine, { thread, agent }: FoundThread): Promise<JsonObject> {
  const [{ state }, active] = await Promise.all([
    readThreadState(agent, engine, thread.id),
    engine.runs.active(thread.id),
  ]);
  const hasNext = Array.isArray(state.next) && state.next.length > 0;
  return hasNext || active.length === 0 ? state : { ...state, next: ["__start__"] };
}

type FoundThread = {
  readonly thread: Thread;
  readonly agent: Extract<LoadedAgent, { status: "loaded" }>["agent"];
};

async function findThread(
  { engine, agents }: ProtocolParts,
  id: string,
): Promise<FoundThread | Refusal> {
  const thread = await engine.runs.thread(id);
  if (thread === undefined) {
    return {
      code: "thread_not_found",
      message: `There is no thread ${id}; it is created by its first message.`,
    };
  }
  const hosted = agents.get(thread.agent);
  if (hosted?.status === "loaded") return { thread, agent: hosted.agent };
  return {
    code: hosted?.error.code ?? "agent_not_found",
    message:
      hosted?.error.message ??
      `Thread ${id} belongs to agent "${thread.agent}", which this server does not host.`,
  };
}
