import type { DatabaseSync } from "node:sqlite";
import { failpoint } from "../../failpoint.ts";

type Job = {
  readonly work: () => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Runs writes one after the other; those that arrive in the same tick share one transaction and one
 * fsync. Each has a savepoint of its own, so a refused one takes only itself back, and each is
 * acknowledged only after the shared COMMIT.
 */
export function createGroupCommit(
  database: DatabaseSync,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let waiting: Job[] = [];
  let busy = false;

  async function drain(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await commitBatch(database, batch);
    }
    busy = false;
  }

  return (work) =>
    new Promise((resolve, reject) => {
      // The job's value is what `work` gave; the queue holds jobs of every type.
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (!busy) {
        busy = true;
        setImmediate(() => void drain());
      }
    });
}

async function commitBatch(database: DatabaseSync, batch: readonly Job[]): Promise<void> {
  const acknowledgements: (() => void)[] = [];
  try {
    database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    for (const job of batch) job.reject(error);
    return;
  }
  for (const job of batch) {
    try {
      database.exec("SAVEPOINT job");
      const value = await job.work();
      database.exec("RELEASE job");
      acknowledgements.push(() => job.resolve(value));
    } catch (error) {
      // A full disk or an I/O error makes SQLite take the whole transaction back by itself.
      if (!database.isTransaction) {
        for (const lost of batch) lost.reject(error);
        return;
      }
      database.exec("ROLLBACK TO job");
      database.exec("RELEASE job");
      acknowledgements.push(() => job.reject(error));
    }
  }
  failpoint("commit.before");
  try {
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    for (const job of batch) job.reject(error);
    return;
  }
  failpoint("commit.after");
  for (const acknowledge of acknowledgements) acknowledge();
}
