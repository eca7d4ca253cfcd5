// After the disk has failed nothing is known of the connection that wrote: a transaction may be open that
// cannot be rolled back, and what was written but not synced may be in the file or not. So the connection
// is thrown away, and the next one must make something durable before anything is acknowledged again.
//
// The reader stays open meanwhile, on purpose. While any connection is open, the frames of the write that
// failed stay outside the WAL's index, and the next write goes over them. Were all of them closed, the
// next to open would take up those frames from the page cache as if they had been committed, although
// Linux may have dropped them after a failed sync; a later power cut would end the log there and lose
// what was acknowledged after it.
import type { DatabaseSync } from "node:sqlite";
import { type Health, notSaved, unwellNow } from "../unwell.ts";
import { diskFailureOf } from "./disk-failure.ts";
import { createStatements, type Statements } from "./statements.ts";
import { messageOf } from "../../error-message.ts";

/** The one connection that writes, opened anew after the disk has failed. */
export type Writer = {
  /** A connection that can save, as far as is known. Throws `database_unwell` when it is known not to. */
  readonly ready: () => WriterConnection;
  /** Gives the connection up, with whatever it had not committed. */
  readonly fail: (error: unknown) => void;
  readonly health: () => Health;
  readonly close: () => void;
};

/** A connection with its statements. */
export type WriterConnection = {
  readonly database: DatabaseSync;
  readonly sql: Statements;
  /** The first failure of the disk that a statement met, whoever caught it. */
  readonly failure: () => unknown;
};

/** Opens the writer; `open` gives a new connection to the same file each time, or in memory the same one. */
export function createWriter(open: () => DatabaseSync): Writer {
  let connection: WriterConnection | undefined = connectionTo(open());
  let why: string | undefined;
  let isClosed = false;

  function fail(error: unknown): void {
    const failed = connection;
    connection = undefined;
    why = unwellNow(reasonOf(error));
    if (failed !== undefined) giveUp(failed.database);
  }
  return {
    ready: () => {
      if (isClosed) throw new Error("The database was closed.");
      if (connection !== undefined && why === undefined) return connection;
      try {
        connection ??= connectionTo(open());
        prove(connection.database);
      } catch (error) {
        fail(error);
        throw notSaved(reasonOf(error), error);
      }
      why = undefined;
      return connection;
    },
    fail,
    health: () => (why === undefined ? { status: "well" } : { status: "unwell", why }),
    close: () => {
      isClosed = true;
      if (connection?.database.isOpen === true) connection.database.close();
      connection = undefined;
    },
  };
}

function connectionTo(database: DatabaseSync): WriterConnection {
  let failure: unknown;
  const sql = createStatements(database, (error) => {
    if (diskFailureOf(error) !== undefined) failure ??= error;
  });
  return { database, sql, failure: () => failure };
}

/** More pages than opening and deciding a review write: with less room the next one would be refused again. */
const provenPages = 20;

/** Commits that change nothing and yet are written and synced: the schema's number, set to what it is. */
function prove(database: DatabaseSync): void {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  for (let page = 0; page < provenPages; page += 1)
    database.exec(`PRAGMA user_version = ${version}`);
}

/** In memory there is nothing to open anew, so the connection must be made usable again. */
function giveUp(database: DatabaseSync): void {
  try {
    if (database.location() !== null) database.close();
    else if (database.isTransaction) database.exec("ROLLBACK");
  } catch {
    // It is not used again; SQLite rolls back when the file is opened next.
  }
}

/** What kept the file from being opened is the cause of the refusal that says so. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return messageOf(cause instanceof Error ? cause : error);
}
