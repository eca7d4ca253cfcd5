import { HoldpointError } from "@holdpoint/core";
import { openEngine } from "@holdpoint/engine";
import { eraseFrom, retainIn } from "@holdpoint/engine/retention";
import { pruneThreads } from "@holdpoint/langchain";
import { readOptions } from "./read-options.ts";

const text = { type: "string" } as const;
const day = 24 * 60 * 60 * 1000;

/** `holdpoint retain`: removes what settled threads hold that have been still for some days. */
export async function retainCommand(args: readonly string[], usage: string): Promise<void> {
  const options = readOptions(args, { database: text, "older-than": text }, usage);
  const { database, "older-than": olderThan } = options;
  const age = millisecondsIn(olderThan);
  if (database === undefined || age === undefined)
    throw new HoldpointError("config_invalid", usage);
  const removed = await retainIn(database, age);
  console.log(`Removed ${removed} threads; their audit stays.`);
}

/** `holdpoint prune`: removes history that nobody can resume from the checkpoints of threads. */
export async function pruneCommand(args: readonly string[], usage: string): Promise<void> {
  const options = readOptions(
    args,
    { database: text, "older-than": text, "keep-last": text, thread: text },
    usage,
  );
  const { database, "older-than": days, "keep-last": count, thread: threadId } = options;
  const olderThan = millisecondsIn(days);
  const keepLast = /^[1-9][0-9]{0,5}$/.test(count ?? "") ? Number(count) : undefined;
  const isMistyped =
    (days !== undefined && olderThan === undefined) ||
    (count !== undefined && keepLast === undefined);
  if (database === undefined || isMistyped || (olderThan ?? keepLast) === undefined)
    throw new HoldpointError("config_invalid", usage);
  const engine = await openEngine({ database });
  try {
    const { threads, checkpoints, parts } = await pruneThreads({
      engine,
      ...(threadId === undefined ? {} : { threadId }),
      ...(olderThan === undefined ? {} : { olderThan }),
      ...(keepLast === undefined ? {} : { keepLast }),
    });
    console.log(`Removed ${checkpoints} checkpoints and ${parts} parts of ${threads} threads.`);
  } finally {
    await engine.close();
  }
}

function millisecondsIn(days: string | undefined): number | undefined {
  const count = /^([1-9][0-9]{0,4})d$/.exec(days ?? "")?.[1];
  return count === undefined ? undefined : Number(count) * day;
}

/** `holdpoint erase`: erases a thread, or who a reviewer was. */
export async function eraseCommand(args: readonly string[], usage: string): Promise<void> {
  const { database, thread, reviewer } = readOptions(
    args,
    { database: text, thread: text, reviewer: text },
    usage,
  );
  if (database === undefined || (thread === undefined) === (reviewer === undefined))
    throw new HoldpointError("config_invalid", usage);
  const subject = thread === undefined ? { reviewerId: reviewer ?? "" } : { threadId: thread };
  const erased = await eraseFrom(database, subject);
  console.log(`Erased. ${erased} bodies in the audit are empty now, and a record says which.`);
}
