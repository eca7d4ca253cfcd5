import { appendAudit } from "../audit/chain.ts";
import { newId } from "../ids.ts";
import { openStorage } from "../storage/open-storage.ts";
import { noteEpoch } from "./starts.ts";

/** The stream of events that concern the whole database. */
export const instanceStream = "instance";

/**
 * Makes a database that came back from a backup the one in use: from here on every approval in it that may
 * have been used since needs a new review, and everybody signs in anew. Returns the epoch that begins.
 */
export async function adopt(database: string, startsFile: string | undefined): Promise<string> {
  const epoch = newId("epoch");
  const storage = await openStorage(database);
  try {
    await storage.write(async (writing) => {
      const { epoch: before } = await writing.instance();
      await writing.beginEpoch(epoch);
      await appendAudit(writing, instanceStream, {
        type: "instance.restored",
        body: { epoch, before },
      });
    });
  } finally {
    await storage.close();
  }
  if (startsFile !== undefined) noteEpoch(startsFile, epoch);
  return epoch;
}
