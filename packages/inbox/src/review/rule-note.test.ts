import { expect, test } from "vitest";
import { ruleNote } from "./rule-note.ts";

test("what the rule's author wrote is a reason; LangChain's usual text is not", () => {
  const usual = "Tool execution requires approval\n\nTool: send_email\nArgs: {}";
  expect(ruleNote({ name: "send_email", description: usual })).toBeUndefined();
  expect(ruleNote({ name: "send_email", description: " " })).toBeUndefined();
  expect(ruleNote({ name: "send_email", description: " Mail leaves the house. " })).toBe(
    "Mail leaves the house.",
  );
});
