import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

/** Which database of its server, and which table, this is: both are other ones after a pg_restore. */
export const placeNow = `(SELECT oid FROM pg_database WHERE datname = current_database())::text
  || '/' || 'holdpoint.instance'::regclass::oid::text`;

/** Reads which life of the database this is; a copy lies in another place than the one it was made in. */
export function readInstance(sql: Statements): Pick<Reading, "instance"> {
  return {
    instance: async () => {
      const server = await serverNow(sql);
      const row = await sql.get(
        `SELECT epoch, place IS DISTINCT FROM ${placeNow} OR server <> $1 AS is_copy
         FROM holdpoint.instance`,
        server,
      );
      return { epoch: String(row?.["epoch"]), isCopy: row?.["is_copy"] === true };
    },
  };
}

/** Begins a new epoch, in the place where the tables are now. */
export function writeInstance(sql: Statements): Pick<Writing, "beginEpoch"> {
  return {
    beginEpoch: async (epoch) => {
      const server = await serverNow(sql);
      await sql.run(
        `UPDATE holdpoint.instance SET epoch = $1, place = ${placeNow}, server = $2`,
        epoch,
        server,
      );
      await sql.run(`DELETE FROM holdpoint.api_keys`);
    },
  };
}

/** Says where the tables are, when they have just been made. */
export async function placeHere(sql: Statements): Promise<void> {
  const server = await serverNow(sql);
  await sql.run(
    `UPDATE holdpoint.instance SET place = ${placeNow}, server = $1 WHERE place IS NULL`,
    server,
  );
}

/** The server's own number, where it may be asked: two servers may number their tables alike. */
async function serverNow(sql: Statements): Promise<string | undefined> {
  const may = await sql.get(
    `SELECT has_function_privilege('pg_control_system()', 'EXECUTE') AS may`,
  );
  if (may?.["may"] !== true) return undefined;
  const row = await sql.get(`SELECT system_identifier::text AS id FROM pg_control_system()`);
  return String(row?.["id"]);
}
