import { HoldpointError } from "@holdpoint/core";
import { eraseFrom, retainIn } from "@holdpoint/engine/retention";
import { readOptions } from "./read-options.ts";

const text = { type: "string" } as const;
const day = 24 * 60 * 60 * 1000;

/** `holdpoint retain`: removes what settled threads hold that have been still for some days. */
export async function retainCommand(args: readonly string[], usage: string): Promise<void> {
  const options = readOptions(args, { database: text, "older-than": text }, usage);
  const { database, "older-than": olderThan = "" } = options;
  const days = /^([1-9][0-9]{0,4})d$/.exec(olderThan)?.[1];
  if (database === undefined || days === undefined)
    throw new HoldpointError("config_invalid", usage);
  const removed = await retainIn(database, Number(days) * day);
  console.log(`Removed ${removed} threads; their audit stays.`);
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
