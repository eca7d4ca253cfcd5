import { expect, test } from "vitest";
import { editDecision } from "./edit-decision.ts";

const action = {
  name: "t",
  args: { a: 1, b: [2] },
  allowedDecisions: ["approve", "edit"] as const,
};

test("an edit that changes nothing is a plain approval, where that is allowed", () => {
  const open = { ...action, allowedDecisions: [...action.allowedDecisions] };
  expect(editDecision(open, { b: [2], a: 1 })).toEqual({ type: "approve" });
  expect(editDecision(open, { a: 2, b: [2] })).toEqual({
    type: "edit",
    editedAction: { name: "t", args: { a: 2, b: [2] } },
  });
  expect(editDecision({ ...open, allowedDecisions: ["edit"] }, { a: 1, b: [2] }).type).toBe("edit");
});
