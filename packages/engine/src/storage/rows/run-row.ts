import type { JsonObject, RunId } from "@holdpoint/core";
import type { Run, RunStatus } from "../storage.ts";
import { optionalText, type Row } from "./row.ts";

/** A run from its row. */
export function runFrom(row: Row): Run {
  const input = optionalText(row.input);
  const dedupeKey = optionalText(row.dedupe_key);
  const error = optionalText(row.error);
  return {
    id: row.id as RunId, // written by us under these types
    threadId: String(row.thread_id),
    kind: row.kind as Run["kind"],
    ...(input === undefined ? {} : { input: JSON.parse(input) as JsonObject }),
    ...(dedupeKey === undefined ? {} : { dedupeKey }),
    status: row.status as RunStatus,
    ...(error === undefined ? {} : { error }),
    attempts: Number(row.attempts),
    fence: Number(row.fence),
    createdAt: String(row.created_at),
  };
}
