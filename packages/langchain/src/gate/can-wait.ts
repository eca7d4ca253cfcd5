import { HoldpointError } from "@holdpoint/core";
import type { Task } from "./task.ts";

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

/** In an agent of LangChain's `version: "v1"` one task runs all calls of a turn, and LangGraph shows only its first pause. */
export function oneTaskForAll(tool: string): HoldpointError {
  return new HoldpointError(
    "config_invalid",
    `The call to ${tool} cannot wait by itself in an agent of version "v1"; use version "v2", or interruptMode "batched".`,
    { details: { key: "interruptMode" } },
  );
}
