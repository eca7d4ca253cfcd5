// A database that was copied back by hand knows nothing of what happened after the copy was made. So the
// events of tools that were started are noted in a file beside the database, before the tool runs:
//
//   {"epoch":"epoch_…"}                                          an epoch begins
//   {"epoch":"epoch_…","hash":"sha256:…","seq":3,"stream":"rev_…"}   a tool is about to run
//
// A database that lacks one of the last events is an old one. The file is not part of a backup.
import { existsSync, renameSync, statSync } from "node:fs";
import { setImmediate as nextTick } from "node:timers/promises";
import { type ActionId, canonicalJson, type Json } from "@holdpoint/core";
import { appendLines, linesOf } from "../audit/seals-file.ts";
import type { Storage } from "../storage/storage.ts";

/** Notes outside of the database that a tool is about to run. */
export type Starts = { readonly note: (actionId: ActionId) => Promise<void> };

/** An event that the database has had. */
export type NotedEvent = { readonly stream: string; readonly seq: number; readonly hash: string };

/** What a file says: the last epoch, and the last events of it. */
export type NotedStarts = { readonly epoch: string; readonly events: readonly NotedEvent[] };

/** Above this many bytes a file becomes the one before, and another is begun. */
const longestFile = 256 * 1024;
/** As many as may be started at once: their events need not be committed in the order in which they are noted. */
const lastEvents = 64;

/** Without a file nothing is noted. */
export const noStarts: Starts = { note: async () => undefined };

/** Notes starts in a file; those of one tick share a write, and each is on disk when its promise resolves. */
export function noteStarts(storage: Storage, file: string): Starts {
  let waiting: string[] = [];
  let written: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    await nextTick();
    const lines = waiting;
    [waiting, written] = [[], undefined];
    appendLines(file, lines);
    if (statSync(file).size > longestFile) renameSync(file, fileBefore(file)); // who has it open writes there
  };
  return {
    note: async (actionId) => {
      const noted = await storage.read(async (reading) => {
        const { epoch } = await reading.instance();
        const stream = (await reading.findPermit(actionId))?.reviewId;
        if (stream === undefined) return undefined;
        const last = (await reading.lastAuditsOf([stream])).get(stream);
        return last === undefined ? undefined : { epoch, stream, seq: last.seq, hash: last.hash };
      });
      if (noted === undefined) return;
      waiting.push(lineOf(noted));
      await (written ??= write());
    },
  };
}

/** Notes that an epoch has begun. */
export function noteEpoch(file: string, epoch: string): void {
  appendLines(file, [lineOf({ epoch })]);
}

/** What was noted, or `undefined` when there is no file. A line that a crash left unfinished counts for nothing. */
export function readStarts(file: string): NotedStarts | undefined {
  let epoch: string | undefined;
  let events: NotedEvent[] = [];
  for (const one of [fileBefore(file), file]) {
    if (!existsSync(one)) continue;
    for (const line of linesOf(one)) {
      const noted = readLine(line);
      if (noted === undefined) continue;
      if (noted.epoch !== epoch) events = [];
      epoch = noted.epoch;
      if (noted.event !== undefined) events.push(noted.event);
      if (events.length > lastEvents * 2) events = events.slice(-lastEvents);
    }
  }
  return epoch === undefined ? undefined : { epoch, events: events.slice(-lastEvents) };
}

function fileBefore(file: string): string {
  return `${file}.before`;
}

function lineOf(noted: { readonly epoch: string } & Partial<NotedEvent>): string {
  return canonicalJson(noted as Json); // texts and a number
}

function readLine(line: string): { epoch: string; event?: NotedEvent } | undefined {
  try {
    const { epoch, stream, seq, hash } = JSON.parse(line) as Record<string, unknown>; // checked below
    if (typeof epoch !== "string") return undefined;
    return typeof stream === "string" && typeof seq === "number" && typeof hash === "string"
      ? { epoch, event: { stream, seq, hash } }
      : { epoch };
  } catch {
    return undefined;
  }
}
