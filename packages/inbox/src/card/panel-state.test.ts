import { expect, test } from "vitest";
import { closedPanel, reducePanel } from "./panel-state.ts";

test("a decision that is taken up again opens its panel as it was left", () => {
  const editedAction = { name: "t", args: { a: 1 } };
  expect(
    reducePanel(closedPanel, { type: "reopened", decision: { type: "edit", editedAction } }),
  ).toEqual({ type: "editing", args: { a: 1 } });
  const rejection = { because: "no" };
  expect(
    reducePanel(closedPanel, { type: "reopened", decision: { type: "reject", rejection } }),
  ).toEqual({ type: "rejecting", parts: { because: "no", instead: "", bounds: "" } });
  expect(reducePanel(closedPanel, { type: "reopened", decision: { type: "approve" } })).toBe(
    closedPanel,
  );
});

test("typing into a panel that is not open changes nothing", () => {
  expect(reducePanel(closedPanel, { type: "answer_typed", text: "x" })).toBe(closedPanel);
  expect(reducePanel(closedPanel, { type: "part_typed", part: "because", text: "x" })).toBe(
    closedPanel,
  );
});
