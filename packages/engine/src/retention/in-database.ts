import { openStorage } from "../storage/open-storage.ts";
import type { Storage } from "../storage/storage.ts";
import { erase, type ErasureSubject } from "./erase.ts";
import { retain } from "./retain.ts";

/** Removes what settled threads of a database hold that have been still for so many milliseconds; returns how many threads. */
export function retainIn(database: string, olderThan: number): Promise<number> {
  return within(database, async (storage) => {
    const now = await storage.read(async (reading) => reading.now);
    return retain(storage, new Date(Date.parse(now) - olderThan).toISOString());
  });
}

/** Erases somebody's personal data in a database; returns how many bodies of audit events were erased. */
export function eraseFrom(database: string, subject: ErasureSubject): Promise<number> {
  return within(database, (storage) => erase(storage, subject));
}

async function within<Result>(
  database: string,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(database);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}
