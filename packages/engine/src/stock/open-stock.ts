import { isPostgres } from "../storage/database-name.ts";
import { openStockFile } from "../storage/sqlite/stock-checkpoints.ts";
import type { StockCheckpoints } from "./stock-checkpoints.ts";

/**
 * Opens what LangGraph's own saver keeps: the file of `SqliteSaver`, or the Postgres of `PostgresSaver`, in the
 * schema that it was given. Nothing is written there. Throws `database_refused` where there are no such tables.
 */
export async function openStock(address: string, schema = "public"): Promise<StockCheckpoints> {
  if (isPostgres(address)) {
    const { openStockPostgres } = await import("../storage/postgres/stock-checkpoints.ts");
    return openStockPostgres(address, schema);
  }
  return openStockFile(address.startsWith("file:") ? address.slice("file:".length) : address);
}
