import type { Row } from "../rows/row.ts";
import type { Statements } from "./statements.ts";
import type { ApiKey, Reading, Writing } from "../storage.ts";

/** Reads the hashed secrets that still hold. */
export function readAccess(sql: Statements, now: string): Pick<Reading, "findApiKey"> {
  return {
    findApiKey: async (hash, purpose) => {
      const row = await sql.get(
        `SELECT k.hash, k.purpose, k.expires_at, r.id AS reviewer_id, r.name FROM holdpoint.api_keys AS k
         JOIN holdpoint.reviewers AS r ON r.id = k.reviewer_id
         WHERE k.hash = $1 AND k.purpose = $2 AND k.expires_at > $3 AND k.used_at IS NULL`,
        hash,
        purpose,
        now,
      );
      return row === undefined ? undefined : keyFrom(row);
    },
  };
}

/** Writes reviewers and hashed secrets. */
export function writeAccess(
  sql: Statements,
  now: string,
): Pick<Writing, "saveReviewer" | "insertApiKey" | "useApiKey"> {
  return {
    saveReviewer: async (reviewer) => {
      await sql.run(
        `INSERT INTO holdpoint.reviewers (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
        reviewer.id,
        reviewer.name,
      );
    },
    insertApiKey: async (key) => {
      await sql.run(
        `INSERT INTO holdpoint.api_keys (hash, purpose, reviewer_id, expires_at) VALUES ($1, $2, $3, $4)`,
        key.hash,
        key.purpose,
        key.reviewer.id,
        key.expiresAt,
      );
    },
    useApiKey: async (hash) =>
      (await sql.run(
        `UPDATE holdpoint.api_keys SET used_at = $1 WHERE hash = $2 AND used_at IS NULL AND expires_at > $3`,
        now,
        hash,
        now,
      )) === 1,
  };
}

function keyFrom(row: Row): ApiKey {
  return {
    hash: String(row.hash),
    purpose: row.purpose as ApiKey["purpose"], // the table's CHECK allows only these
    reviewer: { id: String(row.reviewer_id), name: String(row.name) },
    expiresAt: String(row.expires_at),
  };
}
