import { mkdtemp } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { askUserTool } from "./ask-user.ts";
import { issueRefundTool } from "./issue-refund.ts";

const startEffect = () => Promise.resolve();

async function newLedger() {
  const ledger = join(await mkdtemp(join(tmpdir(), "quickstart-ledger-")), "data", "ledger.db");
  const rows = () => {
    const database = new DatabaseSync(ledger);
    const found = database.prepare("select * from refunds order by id").all();
    database.close();
    return found;
  };
  return { tool: issueRefundTool(ledger, startEffect), rows };
}

test("a refund becomes a row in the ledger, in cents", async () => {
  const { tool, rows } = await newLedger();
  const refund = { order: "A-1001", amount: 1200.35, currency: "EUR" as const };
  expect(await tool.invoke({ ...refund, reason: "broken", notify: true })).toBe(
    "Refunded 1200.35 EUR on order A-1001 (ledger row 1), and the customer will be told.",
  );
  expect(await tool.invoke(refund)).toBe("Refunded 1200.35 EUR on order A-1001 (ledger row 2).");
  expect(rows()).toMatchObject([
    { id: 1, order_id: "A-1001", cents: 120035, currency: "EUR", reason: "broken", notify: 1 },
    { id: 2, order_id: "A-1001", cents: 120035, currency: "EUR", reason: null, notify: 0 },
  ]);
});

test("refunds that are booked at once all arrive", async () => {
  const { tool, rows } = await newLedger();
  const amounts = [1, 2, 3, 4, 5];
  await Promise.all(
    amounts.map((amount) => tool.invoke({ order: "7", amount, currency: "USD" as const })),
  );
  expect(rows()).toHaveLength(5);
});

test("fractions of a cent fail in words, nonsense is refused by the schema", async () => {
  const { tool } = await newLedger();
  const refund = { order: "A-1", currency: "CNY" as const };
  await expect(tool.invoke({ ...refund, amount: 0.001 })).rejects.toThrow(
    /^0.001 is not an amount/,
  );
  await expect(tool.invoke({ ...refund, amount: 0 })).rejects.toThrow("schema");
  await expect(tool.invoke({ ...refund, amount: -5 })).rejects.toThrow("schema");
});

test("a question that is run instead of answered fails in words", async () => {
  await expect(askUserTool().invoke({ question: "Red?" })).rejects.toThrow(
    "ask_user was run, but it can only be answered by a person.",
  );
});
