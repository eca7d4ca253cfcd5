import { expect, test } from "vitest";
import { moneyIn } from "./money.ts";
import { understand } from "./understand.ts";

test.each([
  ["€1.500,50", 1500.5, "EUR"],
  ["1500,50 EUR", 1500.5, "EUR"],
  ["1,200.50 EUR", 1200.5, "EUR"],
  ["1,200", 1200, undefined],
  ["$0.99", 0.99, "USD"],
  ["1.5k EUR", 1500, "EUR"],
  ["1.5万元", 15_000, "CNY"],
  ["一千二百零五元", 1205, "CNY"],
])("%s is read whole", (text, amount, currency) => {
  expect(moneyIn(text)).toMatchObject([{ amount, currency }]);
});

test.each([
  "2e3",
  "2e3 EUR",
  "1000.005 EUR",
  "1.500 EUR",
  "$1500,50",
  "¥1.500,50",
  "1 200 EUR",
  "1'500 EUR",
  "1,200,50 EUR",
  ".5 EUR",
  "2 million EUR",
  "50 cents",
  "£500",
  "A$50",
  "50–100 EUR",
  "20 EUR or 30 EUR",
  "1万5千元",
  "2万五千元",
  "三千五元",
  "1亿元",
  "100日元",
])("%s, which may be another amount, is asked back", (text) => {
  for (const say of [`refund order A-1 by ${text}`, `给订单 A-1 退款 ${text}`]) {
    const [request] = understand(say);
    expect(request).toMatchObject({ name: "issue_refund", doubt: { type: "amount" } });
  }
});

test("a negative amount pays nothing", () => {
  expect(understand("refund order A-1 by -50 EUR")).toEqual([]);
});
