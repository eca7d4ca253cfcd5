// A server with a synchronous copy answers a COMMIT when the copy has it too, and no limit of the server ends
// that wait. An administrator can: then the server says that it is committed, and only a warning says that the
// copy may not have it. Neither may be taken for a change that survives the server.
import type { PoolClient, QueryResult } from "pg";
import { isUnanswered, unconfirmed } from "./failures.ts";

/** A COMMIT, and how long it may take, in milliseconds; its types do not know that `pg` takes that. */
const commit = { text: "COMMIT", query_timeout: 30_000 };

/** Sends COMMIT; rejects when it is not confirmed, or not in time. */
export async function commitOn(client: PoolClient): Promise<QueryResult> {
  let isConfirmed = true;
  const hear = ({ routine }: { readonly routine?: string | undefined }): void => {
    if (routine === "SyncRepWaitForLSN") isConfirmed = false; // a name in the server, in every language
  };
  client.on("notice", hear);
  try {
    const result = await client.query(commit);
    if (isConfirmed) return result;
  } catch (error) {
    if (isConfirmed && !isUnanswered(error)) throw error;
  } finally {
    client.off("notice", hear);
  }
  throw unconfirmed();
}
