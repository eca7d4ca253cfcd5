import { interrupt } from "@langchain/langgraph";
import { createMiddleware } from "langchain";
import { expect, test } from "vitest";
import { answerEach, heldCalls, refusalIn } from "./answer-each.ts";
import { failureOf, heldAgent, sealedAgent, stockAgent, turns, variants } from "./set-up.ts";

const script = turns([
  { name: "a", args: { x: 1 } },
  { name: "b", args: { x: 2 } },
]);
const rules = { a: true, b: true };
const v1 = { agent: { version: "v1" as const } };

/** Stock has one review for a turn, which survives v1; what it cannot show, a plain interrupt does. */
const asking = createMiddleware({
  name: "Asking",
  wrapToolCall: (request, handler) => {
    interrupt({ ask: request.toolCall.name });
    return handler(request);
  },
});

test("H32: in a v1 agent only the first of two interrupts shows, and the first tool runs again with the second answer", async () => {
  const stock = stockAgent({}, { script, before: [asking], ...v1 });
  await stock.ask();
  expect((await stock.pending()).map((one) => one.value)).toEqual([{ ask: "a" }]);
  await stock.resume("yes");
  await stock.resume("yes");
  expect(stock.ran).toEqual(['a {"x":1}', 'a {"x":1}', 'b {"x":2}']);
});

test.each(variants)(
  "H32: in a v1 agent batched shows all held calls in one review, and each decision counts ($variant)",
  async ({ open }) => {
    const ours = heldAgent(await open(), { interruptOn: rules }, { script, ...v1 });
    await ours.ask();
    await ours.onlyPending();
    expect((await heldCalls(ours)).map(({ name }) => name)).toEqual(["a", "b"]);
    await answerEach(ours, ({ name }) => ({ type: name === "a" ? "approve" : "reject" }));
    expect(ours.ran).toEqual(['a {"x":1}']);
    expect((await ours.toolMessages()).map((one) => one.status)).toEqual(["success", "error"]);
    expect(await ours.dangling()).toEqual([]);
  },
);

test.each(variants)(
  "H32: in a v1 agent per_call is refused before any tool runs ($variant)",
  async ({ open }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: rules, interruptMode: "per_call" },
      { script: turns([{ name: "c" }, { name: "a" }]), ...v1 },
    );
    const refusal = refusalIn(await failureOf(ours.ask()));
    expect(refusal).toMatchObject({ code: "config_invalid", details: { key: "interruptMode" } });
    expect(refusal.message).toContain('version "v1"');
    expect(ours.ran).toEqual([]);
  },
);

test.each(variants.slice(-1))(
  "H32: holdAgent refuses version v1 in per_call mode ($variant)",
  async ({ open }) => {
    const place = await open();
    const built = async () =>
      sealedAgent(place, { interruptOn: rules, version: "v1" }, { script }).ask();
    expect(refusalIn(await failureOf(built()))).toMatchObject({ code: "config_invalid" });
  },
);
