import { tool } from "langchain";
import { z } from "zod";
import type { StartEffect } from "./effect-start.ts";
import { bookRefund } from "./refund-ledger.ts";

const schema = z.object({
  order: z
    .string()
    .min(1)
    .describe("The order number, for example A-1001. / 订单号，例如 A-1001。"),
  amount: z
    .number()
    .positive()
    .describe("How much to pay back, with at most two decimals. / 退款金额，最多两位小数。"),
  currency: z.enum(["EUR", "USD", "CNY"]).describe("The currency of the amount. / 金额的币种。"),
  reason: z.string().optional().describe("Why the customer gets the money back. / 退款原因。"),
  notify: z
    .boolean()
    .optional()
    .describe("Whether to tell the customer about the refund. / 是否通知客户。"),
});

/** The `issue_refund` tool: books one refund in the ledger, a small SQLite file. */
export function issueRefundTool(ledger: string, startEffect: StartEffect) {
  return tool(
    async (args) => {
      await startEffect("issue_refund", args);
      const { order, amount, currency, reason, notify = false } = args;
      const cents = Math.round(amount * 100);
      if (Math.abs(amount * 100 - cents) > 1e-6 || !Number.isSafeInteger(cents)) {
        throw new Error(`${amount} is not an amount of money with at most two decimals.`);
      }
      const row = await bookRefund(ledger, { order, cents, currency, reason, notify });
      const told = notify ? ", and the customer will be told" : "";
      return `Refunded ${amount.toFixed(2)} ${currency} on order ${order} (ledger row ${row})${told}.`;
    },
    {
      name: "issue_refund",
      description: "Pays money back to the customer of an order.",
      schema,
    },
  );
}
