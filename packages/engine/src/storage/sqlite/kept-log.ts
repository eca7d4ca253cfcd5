import type { DatabaseSync } from "node:sqlite";

/** More of the log than this is kept by somebody: what nobody keeps is moved after every fourth megabyte. */
const keptLogAtMost = 64 * 1024 * 1024;

/**
 * What a person should know of a write-ahead log that cannot be moved into the database, because somebody reads
 * an old state of it for long: it grows with each change, and each look-up goes through it.
 */
export function keptLog(database: DatabaseSync): string | undefined {
  if (keptBytes(database, "NOOP") <= keptLogAtMost) return undefined;
  // Whoever kept it may be gone, and nobody may have written since.
  const bytes = keptBytes(database, "PASSIVE");
  if (bytes <= keptLogAtMost) return undefined;
  return `The log beside the database holds ${Math.round(bytes / 1024 / 1024)} MiB that cannot be moved into it, because somebody has been reading an old state of it for long; end that reader (a shell, a copy or a backup that hangs), and the log shrinks by itself.`;
}

/** How much of the log is in the log alone; in memory there is none. */
function keptBytes(database: DatabaseSync, mode: "NOOP" | "PASSIVE"): number {
  const found = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get() ?? {};
  const { page_size: pageSize } = database.prepare("PRAGMA page_size").get() ?? {};
  return (Number(found["log"]) - Number(found["checkpointed"])) * Number(pageSize);
}
