import { deliveryFrom } from "../rows/delivery-row.ts";
import { optionalText } from "../rows/row.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

type DeliveryReading = Pick<Reading, "findDelivery" | "nextDelivery" | "stuckDeliveries">;
type DeliveryWriting = Pick<
  Writing,
  | "subscribeTopic"
  | "insertDeliveries"
  | "claimDeliveries"
  | "settleDelivery"
  | "withdrawDeliveries"
  | "redriveDelivery"
>;

/** Reads deliveries, one topic at a time, so that none stands in another's way. */
export function readDeliveries(sql: Statements): DeliveryReading {
  return {
    findDelivery: async (id) => {
      const row = sql.get(`SELECT * FROM deliveries WHERE id = ?`, id);
      return row === undefined ? undefined : deliveryFrom(row);
    },
    nextDelivery: async (topics) =>
      topics
        .flatMap((topic) => {
          const row = sql.get(
            `SELECT due_at FROM deliveries WHERE status = 'pending' AND topic = ? ORDER BY due_at LIMIT 1`,
            topic,
          );
          return optionalText(row?.due_at) ?? [];
        })
        .toSorted()[0],
    stuckDeliveries: async (limit) =>
      sql
        .all(`SELECT * FROM deliveries WHERE status = 'stuck' ORDER BY id LIMIT ?`, limit)
        .map(deliveryFrom),
  };
}

/** Writes deliveries; every change names the fence it saw. */
export function writeDeliveries(sql: Statements, now: string): DeliveryWriting {
  return {
    subscribeTopic: async (topic) => {
      sql.run(`INSERT INTO delivery_topics (topic) VALUES (?) ON CONFLICT DO NOTHING`, topic);
    },
    insertDeliveries: async (rows) => {
      sql.run(
        `INSERT INTO deliveries (id, topic, key, body, status, due_at, created_at)
         SELECT value ->> 'id', value ->> 'topic', value ->> 'key', value ->> 'body', 'pending', value ->> 'dueAt', ?1
         FROM json_each(?2) WHERE value ->> 'topic' IN (SELECT topic FROM delivery_topics)
         ON CONFLICT (topic, key) DO NOTHING`,
        now,
        JSON.stringify(rows),
      );
    },
    claimDeliveries: async (topic, lease, limit) =>
      sql
        .all(
          `UPDATE deliveries SET attempts = attempts + 1, fence = fence + 1, lease_owner = ?, due_at = ?
           WHERE id IN (SELECT id FROM deliveries WHERE status = 'pending' AND topic = ? AND due_at <= ?
             ORDER BY due_at, id LIMIT ?) RETURNING *`,
          lease.owner,
          lease.until,
          topic,
          now,
          limit,
        )
        .map(deliveryFrom),
    settleDelivery: async ({ id, fence }, { status, attempts, dueAt, error }) =>
      sql.run(
        `UPDATE deliveries SET status = ?, attempts = ?, due_at = ?, last_error = ?, lease_owner = NULL
         WHERE id = ? AND fence = ? AND status = 'pending'`,
        status,
        attempts,
        dueAt,
        error,
        id,
        fence,
      ) === 1,
    withdrawDeliveries: async (topic, keys) => {
      sql.run(
        `DELETE FROM deliveries WHERE topic = ? AND status <> 'delivered'
         AND key IN (SELECT value FROM json_each(?))`,
        topic,
        JSON.stringify(keys),
      );
    },
    redriveDelivery: async (id) =>
      sql.run(
        `UPDATE deliveries SET status = 'pending', attempts = 0, fence = fence + 1, due_at = ?
         WHERE id = ? AND status = 'stuck'`,
        now,
        id,
      ) === 1,
  };
}
