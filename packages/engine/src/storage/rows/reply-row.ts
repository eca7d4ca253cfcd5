import type { JsonObject } from "@holdpoint/core";
import type { StoredReply } from "../storage.ts";
import type { Row } from "./row.ts";

/** A kept reply from its row. */
export function replyFrom(row: Row): StoredReply {
  return {
    caller: String(row.caller),
    key: String(row.key),
    requestHash: String(row.request_hash),
    reply: JSON.parse(String(row.reply)) as JsonObject, // written by us
    at: String(row.at),
  };
}
