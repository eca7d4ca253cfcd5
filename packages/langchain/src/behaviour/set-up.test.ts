import { expect, test } from "vitest";
import { cases, heldAgent, stockAgent, turns } from "./set-up.ts";

test("the stock agent pauses, and runs what was approved", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: turns([{ name: "a" }]) });
  await stock.ask();
  expect(stock.ran).toEqual([]);
  expect((await stock.onlyPending()).value["actionRequests"]).toHaveLength(1);
  await stock.answer({ type: "approve" });
  expect(stock.ran).toEqual(["a {}"]);
  expect((await stock.toolMessages()).map((one) => one.text)).toEqual(["ok"]);
  expect(await stock.dangling()).toEqual([]);
});

test.each(cases)("ours does so too ($variant, $mode)", async ({ open, mode }) => {
  const ours = heldAgent(
    await open(),
    { interruptOn: { a: true }, interruptMode: mode },
    { script: turns([{ name: "a", args: { x: 1 } }]) },
  );
  await ours.ask();
  expect(ours.ran).toEqual([]);
  await ours.answer({ type: "approve" });
  expect(ours.ran).toEqual(['a {"x":1}']);
  expect(await ours.dangling()).toEqual([]);
});
