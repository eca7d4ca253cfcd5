import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/** One refund as it is booked; `cents` are hundredths of the currency. */
export type Refund = {
  readonly order: string;
  readonly cents: number;
  readonly currency: "EUR" | "USD" | "CNY";
  readonly reason?: string | undefined;
  readonly notify: boolean;
};

const TABLE = `
  create table if not exists refunds (
    id       integer primary key,
    order_id text    not null,
    cents    integer not null check (cents > 0),
    currency text    not null,
    reason   text,
    notify   integer not null,
    at       text    not null
  ) strict`;

/** Books a refund in the SQLite file `ledger` and returns its row number, once it is on disk. */
export async function bookRefund(ledger: string, refund: Refund): Promise<number> {
  const { DatabaseSync } = await import("node:sqlite");
  await mkdir(dirname(ledger), { recursive: true });
  const database = new DatabaseSync(ledger, { timeout: 5000 });
  try {
    database.exec("pragma synchronous = full");
    database.exec(TABLE);
    const { lastInsertRowid } = database
      .prepare(
        `insert into refunds (order_id, cents, currency, reason, notify, at)
         values (?, ?, ?, ?, ?, ?)`,
      )
      .run(
        refund.order,
        refund.cents,
        refund.currency,
        refund.reason ?? null,
        refund.notify ? 1 : 0,
        new Date().toISOString(),
      );
    return Number(lastInsertRowid);
  } finally {
    database.close();
  }
}
