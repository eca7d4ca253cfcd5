import { failpoint } from "../../failpoint.ts";
import { notSaved, perhapsSaved } from "../unwell.ts";
import { diskFailureOf } from "./disk-failure.ts";
import type { Statements } from "./statements.ts";
import type { Writer, WriterConnection } from "./writer.ts";

type Job = {
  readonly work: (sql: Statements) => Promise<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** Runs one write in a transaction, with the statements of the connection that writes. */
export type GroupCommit = <Result>(work: (sql: Statements) => Promise<Result>) => Promise<Result>;

/**
 * Runs writes one after the other; those that arrive in the same tick share one transaction and one
 * fsync. Each has a savepoint of its own, so a refused one takes only itself back, and each is
 * acknowledged only after the shared COMMIT. When the disk fails all of them are refused, and the writer
 * is given up.
 */
export function createGroupCommit(writer: Writer): GroupCommit {
  let waiting: Job[] = [];
  let busy = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await commitBatch(writer, batch);
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

/** Never throws: whatever happens, every job of the batch is told, and the next batch can begin. */
async function commitBatch(writer: Writer, batch: readonly Job[]): Promise<void> {
  const acknowledgements: (() => void)[] = [];
  const refuseAll = (error: unknown): void => {
    for (const job of batch) job.reject(error);
  };
  let connection: WriterConnection;
  try {
    connection = writer.ready();
    connection.database.exec("BEGIN IMMEDIATE");
  } catch (error) {
    return refuseAll(failureIn(writer, error));
  }
  const { database, sql, failure } = connection;
  try {
    for (const job of batch) {
      database.exec("SAVEPOINT job");
      try {
        const value = await job.work(sql);
        acknowledgements.push(() => job.resolve(value));
      } catch (error) {
        // SQLite may take the whole transaction back by itself, as RAISE(ROLLBACK) does.
        if (!database.isTransaction || diskFailureOf(error) !== undefined) throw error;
        database.exec("ROLLBACK TO job");
        acknowledgements.push(() => job.reject(error));
      }
      // The disk's failure counts, even when the work has caught it and gone on.
      if (failure() !== undefined) throw failure();
      database.exec("RELEASE job");
    }
  } catch (error) {
    const refusal = failureIn(writer, error);
    rollBack(writer, database);
    return refuseAll(refusal);
  }
  failpoint("commit.before");
  try {
    database.exec("COMMIT");
  } catch (error) {
    const reason = diskFailureOf(error);
    if (reason !== undefined) writer.fail(error);
    else rollBack(writer, database);
    return refuseAll(reason === undefined ? error : perhapsSaved(reason, error));
  }
  failpoint("commit.after");
  for (const acknowledge of acknowledgements) acknowledge();
}

/** What those are told whose write met this error; when it was the disk's, the writer is given up. */
function failureIn(writer: Writer, error: unknown): unknown {
  const reason = diskFailureOf(error);
  if (reason === undefined) return error;
  writer.fail(error);
  return notSaved(reason, error);
}

/** A transaction that cannot even be rolled back ends with its connection. */
function rollBack(writer: Writer, database: WriterConnection["database"]): void {
  try {
    if (database.isTransaction) database.exec("ROLLBACK");
  } catch (error) {
    writer.fail(error);
  }
}
