// A server with a synchronous copy answers a COMMIT when the copy has it too, and no limit of the server ends
// that wait. An administrator can: then the server says that it is committed, and only a warning says that the
// copy may not have it. Neither may be taken for a change that survives the server.
import type { PoolClient, QueryResult } from "pg";
import { unconfirmed } from "./failures.ts";

/** How long a COMMIT may take, in milliseconds. */
const patience = 30_000;

/** Sends COMMIT; rejects when it is not confirmed in time, and then the connection is of no use any more. */
export async function commitOn(client: PoolClient): Promise<QueryResult> {
  let isConfirmed = true;
  const giveUp = (): void => {
    isConfirmed = false;
    void client.end(); // it breaks off what is under way
  };
  const hear = ({ routine }: { readonly routine?: string | undefined }): void => {
    if (routine === "SyncRepWaitForLSN") isConfirmed = false; // a name in the server, in every language
  };
  const timer = setTimeout(giveUp, patience);
  client.on("notice", hear);
  try {
    const result = await client.query("COMMIT");
    if (isConfirmed) return result;
  } catch (error) {
    if (isConfirmed) throw error;
  } finally {
    clearTimeout(timer);
    client.off("notice", hear);
  }
  throw unconfirmed();
}
