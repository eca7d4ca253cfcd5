import { getConfig } from "@langchain/langgraph";
import { HoldpointError } from "@holdpoint/core";
import type { Task } from "../pause/task.ts";

/** Throws `config_invalid` when a pause of this task could not be kept, before any tool of its turn runs. */
export function checkCanWait({ saver, threadId }: Task, tool: string): void {
  if (saver === undefined)
    throw cannotWait(tool, "the agent has no checkpointer", "a checkpointer");
  if (threadId === undefined)
    throw cannotWait(tool, "it belongs to no thread", "configurable.thread_id");
}

function cannotWait(tool: string, why: string, what: string): HoldpointError {
  return new HoldpointError(
    "config_invalid",
    `The call to ${tool} has to wait for a person, but ${why}; pass ${what}. Nothing was run.`,
    { details: { key: what } },
  );
}

/**
 * In an agent of LangChain's `version: "v1"` one task runs all calls of a turn, and LangGraph shows only
 * its first pause. Throws `config_invalid` there, before any tool runs.
 */
export function checkOneCallEach(task: Task, tool: string): void {
  if (!task.isOneCall && !isSent()) throw oneTaskForAll(tool);
}

/** LangChain sends each call of a v2 agent, and whatever another middleware jumps to; a v1 agent's tools are a plain node. */
function isSent(): boolean {
  const triggers: unknown = getConfig()?.metadata?.["langgraph_triggers"];
  return Array.isArray(triggers) && triggers.includes("__pregel_push");
}

/** The refusal of a setup in which no call can wait by itself. */
export function oneTaskForAll(tool: string): HoldpointError {
  return new HoldpointError(
    "config_invalid",
    `The call to ${tool} cannot wait by itself in an agent of version "v1"; use version "v2", or interruptMode "batched".`,
    { details: { key: "interruptMode" } },
  );
}

/** Another middleware sent the calls of a turn to the tools together, where only one of them could wait. */
export function sentTogether(tool: string): HoldpointError {
  return new HoldpointError(
    "config_invalid",
    `The call to ${tool} cannot wait by itself because a middleware jumped to the tools with several calls at once; list that middleware before humanInTheLoopMiddleware, or use interruptMode "batched".`,
    { details: { key: "interruptMode" } },
  );
}
