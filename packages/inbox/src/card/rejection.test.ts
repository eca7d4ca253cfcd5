import { decisionSchema } from "@holdpoint/core";
import { expect, test } from "vitest";
import { noReason, partLimit, partsOf, rejectionDecision } from "./rejection.ts";

test("without a reason a rejection has no message at all", () => {
  expect(rejectionDecision({ ...noReason, because: "  " }, "en")).toEqual({ type: "reject" });
});

test("a reason becomes its parts and one message in the reviewer's language", () => {
  const parts = { because: "it is too risky.", instead: "ask Anna first", bounds: "under 100 €" };
  expect(rejectionDecision(parts, "en")).toEqual({
    type: "reject",
    message:
      "No, because it is too risky. Instead: ask Anna first. Within these bounds: under 100 €.",
    rejection: { because: "it is too risky", instead: "ask Anna first", bounds: "under 100 €" },
  });
  expect(
    rejectionDecision({ because: "风险太高。", instead: "先问张三", bounds: "" }, "zh-CN"),
  ).toEqual({
    type: "reject",
    message: "不行，因为风险太高。改为：先问张三。",
    rejection: { because: "风险太高", instead: "先问张三" },
  });
});

test("a rejection that is taken up again has the parts it had", () => {
  const parts = { because: "a", instead: "", bounds: "b" };
  expect(partsOf(rejectionDecision(parts, "en"))).toEqual(parts);
  expect(partsOf({ type: "reject" })).toEqual(noReason);
});

test("three longest parts still make a message that the server takes", () => {
  const long = "x".repeat(partLimit);
  const decision = rejectionDecision({ because: long, instead: long, bounds: long }, "en");
  expect(decisionSchema.safeParse(decision).success).toBe(true);
});
