import type { Row } from "../rows/row.ts";
import type { Statements } from "./statements.ts";
import type { ApiKey, Reading, Writing } from "../storage.ts";

/** Reads the hashed secrets that still hold. */
export function readAccess(sql: Statements, now: string): Pick<Reading, "findApiKey"> {
  return {
    findApiKey: async (hash, purpose) => {
      const row = sql.get(
        `SELECT k.hash, k.purpose, k.expires_at, r.id AS reviewer_id, r.name FROM api_keys AS k
         JOIN reviewers AS r ON r.id = k.reviewer_id
         WHERE k.hash = ? AND k.purpose = ? AND k.expires_at > ? AND k.used_at IS NULL`,
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
      sql.run(
        `INSERT INTO reviewers (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name`,
        reviewer.id,
        reviewer.name,
      );
    },
    insertApiKey: async (key) => {
      sql.run(
        `INSERT INTO api_keys (hash, purpose, reviewer_id, expires_at) VALUES (?, ?, ?, ?)`,
        key.hash,
        key.purpose,
        key.reviewer.id,
        key.expiresAt,
      );
    },
    useApiKey: async (hash) =>
      sql.run(
        `UPDATE api_keys SET used_at = ? WHERE hash = ? AND used_at IS NULL AND expires_at > ?`,
        now,
        hash,
        now,
      ) === 1,
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
