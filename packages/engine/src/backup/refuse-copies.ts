import { basename, dirname, join } from "node:path";
import { HoldpointError } from "@holdpoint/core";
import {
  type NotedEvent,
  noStarts,
  noteEpoch,
  noteStarts,
  readStarts,
  type Starts,
} from "./starts.ts";
import { databaseName } from "../storage/database-name.ts";
import type { Storage } from "../storage/storage.ts";

/**
 * Refuses a database that is a backup, or older than what was noted outside of it: a permit that has been
 * used since would be unused again in it. Returns what notes starts from here on.
 */
export async function refuseCopies(
  storage: Storage,
  database: string,
  startsFile: string | undefined,
): Promise<Starts> {
  const name = databaseName(database);
  const file = startsFile ?? startsFileOf(database);
  const { epoch, isCopy } = await storage.read((reading) => reading.instance());
  if (isCopy) throw copied(name, "is a copy of another database, such as a backup");
  if (file === undefined) return noStarts;
  const noted = readStarts(file);
  if (noted?.epoch !== epoch) {
    if (noted !== undefined && !(await isNew(storage)))
      throw copied(name, `is not the one whose starts are noted in ${file}`);
    noteEpoch(file, epoch);
  } else if (!(await hasAll(storage, noted.events))) {
    throw copied(
      name,
      `is older than what is noted in ${file}: tools ran since that it does not know of`,
    );
  }
  return noteStarts(storage, file);
}

/** Where starts are noted when no file is named: beside an SQLite file, and nowhere for other databases. */
export function startsFileOf(database: string): string | undefined {
  if (!database.startsWith("file:")) return undefined;
  const path = database.slice("file:".length);
  return join(dirname(path), `starts-of-${basename(path)}.jsonl`);
}

/** Nothing was ever approved in a database without an event, so nothing in it can run again. */
async function isNew(storage: Storage): Promise<boolean> {
  return storage.read(async (reading) => (await reading.auditHead()).position === 0);
}

async function hasAll(storage: Storage, events: readonly NotedEvent[]): Promise<boolean> {
  return storage.read(async (reading) => {
    for (const { stream, seq, hash } of events) {
      const own = (await reading.auditOf(stream)).find((event) => event.seq === seq);
      if (own?.hash !== hash) return false;
    }
    return true;
  });
}

function copied(name: string, what: string): HoldpointError {
  return new HoldpointError(
    "database_refused",
    `The database ${name} ${what}; put the newest one back, or run "holdpoint restore --adopt --database ${name}", after which what was approved in it and may have run since is asked about again.`,
  );
}
