import type { Delivery, DeliveryId } from "../storage.ts";
import { optionalText, type Row } from "./row.ts";

/** A delivery from its row; its body stays text, so that one that is broken stops no other. */
export function deliveryFrom(row: Row): Delivery {
  const lastError = optionalText(row.last_error);
  return {
    id: row.id as DeliveryId, // written by us under these types
    topic: String(row.topic),
    key: String(row.key),
    body: String(row.body),
    status: row.status as Delivery["status"],
    attempts: Number(row.attempts),
    fence: Number(row.fence),
    dueAt: String(row.due_at),
    ...(lastError === undefined ? {} : { lastError }),
    createdAt: String(row.created_at),
  };
}
