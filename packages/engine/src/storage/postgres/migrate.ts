import { readdirSync, readFileSync } from "node:fs";
import { HoldpointError } from "@holdpoint/core";
import { failpoint } from "../../failpoint.ts";
import { placeHere } from "./instance.ts";
import { unbounded } from "./settings.ts";
import { createTransaction } from "./statements.ts";
import type { Taken } from "./connect.ts";

const folder = new URL("./migrations/", import.meta.url);

/** Names the lock under which one process at a time migrates a database: "holdpoint" in ASCII, shortened. */
const lock = 0x68_6f_6c_64;

/**
 * Brings the schema up to date: each numbered file once, in order, in one transaction. Processes that
 * start at once wait for each other. The lock goes with the transaction, as it must behind a pooler.
 */
export async function migrate(take: () => Promise<Taken>): Promise<void> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  const connection = await take();
  try {
    await connection.query(`BEGIN; ${unbounded}`);
    await connection.query("SELECT pg_advisory_xact_lock($1)", [lock]);
    const applied = await appliedTo(connection);
    if (applied > files.length) {
      throw new HoldpointError(
        "database_refused",
        `The database was written by a newer Holdpoint (schema ${applied}, this one knows ${files.length}); use that version or a backup.`,
      );
    }
    if (applied < files.length) {
      for (const name of files.slice(applied)) {
        await connection.query(readFileSync(new URL(name, folder), "utf8"));
        failpoint("migration.after_file");
      }
      await placeHere(createTransaction(connection).sql);
      await connection.query("UPDATE holdpoint.schema_version SET version = $1", [files.length]);
    }
    await connection.query("COMMIT");
    connection.release(false);
  } catch (error) {
    connection.release(true); // closing it takes the transaction back
    throw error;
  }
}

/** How many files the database has seen. One that is up to date needs no right to change its schema. */
async function appliedTo(connection: Taken): Promise<number> {
  const known = await connection.query(
    "SELECT to_regclass('holdpoint.schema_version') IS NOT NULL AS exists",
  );
  if (known.rows[0]?.["exists"] !== true) {
    await connection.query(
      `CREATE SCHEMA IF NOT EXISTS holdpoint;
       CREATE TABLE holdpoint.schema_version (version integer NOT NULL);
       INSERT INTO holdpoint.schema_version VALUES (0)`,
    );
  }
  const { rows } = await connection.query("SELECT version FROM holdpoint.schema_version");
  return Number(rows[0]?.["version"]);
}
