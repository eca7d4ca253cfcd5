import { HoldpointError, type JsonObject } from "@holdpoint/core";
import { appendAudits } from "../audit/chain.ts";
import { instanceStream } from "../backup/adopt.ts";
import { newId } from "../ids.ts";
import type { EventPlace, Storage, Writing } from "../storage/storage.ts";

/** Whose personal data goes. */
export type ErasureSubject = { readonly threadId: string } | { readonly reviewerId: string };

/** What an erasure is recorded as. */
export const erasedType = "audit.erased";

/** As many places as one record lists. */
const placesInRecord = 1000;

/**
 * Erases a thread with everything in it, or who a reviewer was. In the audit the bodies of the events that
 * name them go; the hashes stay, so the chain still verifies, and a record says which bodies were erased.
 * Returns how many. Throws `thread_busy` while something runs on the thread.
 */
export async function erase(storage: Storage, subject: ErasureSubject): Promise<number> {
  return storage.write(async (writing) => {
    const events = await writing.eventsAbout(subject);
    if ("threadId" in subject) {
      if (await writing.isThreadBusy(subject.threadId)) {
        throw new HoldpointError(
          "thread_busy",
          `Thread ${subject.threadId} is not erased, because a run of it is under way; stop it, and erase then.`,
        );
      }
      await writing.removeThread(subject.threadId);
    } else {
      await writing.eraseReviewer(subject.reviewerId, newId("erased"));
    }
    await writing.removeMentions("threadId" in subject ? subject.threadId : subject.reviewerId);
    await eraseEvents(writing, events, "threadId" in subject ? "thread" : "reviewer");
    return events.length;
  });
}

async function eraseEvents(
  writing: Writing,
  events: readonly EventPlace[],
  subject: string,
): Promise<void> {
  await writing.eraseEvents(events);
  const records = [];
  for (let first = 0; first < events.length; first += placesInRecord) {
    const part = events.slice(first, first + placesInRecord);
    const body = { subject, events: part.map(({ stream, seq }) => [stream, seq]) };
    records.push({ stream: instanceStream, entry: { type: erasedType, body } });
  }
  await appendAudits(writing, records);
}

/** The places that a record of an erasure lists; none for anything else. */
export function placesIn(body: string): readonly EventPlace[] {
  const events = eventsIn(body);
  if (!Array.isArray(events)) return [];
  return events.flatMap((place) => {
    const [stream, seq] = Array.isArray(place) ? place : [];
    return typeof stream === "string" && typeof seq === "number" ? [{ stream, seq }] : [];
  });
}

function eventsIn(body: string): unknown {
  try {
    return (JSON.parse(body) as JsonObject)["events"]; // what is no object has no events either
  } catch {
    return undefined;
  }
}
