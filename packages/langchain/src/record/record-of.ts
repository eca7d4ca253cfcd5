import { type Holdpoint } from "@holdpoint/core";
import { systemClock } from "@holdpoint/engine/clock";
import { HoldpointSaver } from "../checkpoints/checkpointer.ts";
import { createProcessRecord, type ProcessRecord } from "./process-record.ts";

/** Agents that share a checkpointer share its threads, so they share the record of their reviews. */
const records = new WeakMap<object, ProcessRecord>();

/** The record of the threads that this checkpointer keeps: its engine's, or else this process's own. */
export function recordOf(saver: object): Holdpoint {
  if (saver instanceof HoldpointSaver) return saver.engine;
  const known = records.get(saver) ?? createProcessRecord(systemClock);
  records.set(saver, known);
  return known;
}

/** The record when it lives in this process alone, so that checkpoints have to complete it. */
export function processRecordOf(saver: object): ProcessRecord | undefined {
  return records.get(saver);
}
