import { expect, test } from "vitest";
import { closestName, suggestion } from "./closest-name.ts";

const known = ["allowedDecisions", "description", "argsSchema", "when"];

test.each<readonly [written: string, meant: string | undefined]>([
  ["allowed_decisions", "allowedDecisions"],
  ["ALLOWED-DECISIONS", "allowedDecisions"],
  ["a_r_g_s schema", "argsSchema"],
  ["alowedDecision", "allowedDecisions"],
  ["args-schema", "argsSchema"],
  ["wehn", "when"],
  ["whn", "when"],
  ["when", "when"],
  ["desc", undefined],
  ["whatever", undefined],
  ["hen?", undefined],
  ["", undefined],
])("%s probably means %s", (written, meant) => {
  expect(closestName(written, known)).toBe(meant);
});

test("of several close names the closest is meant, of equally close ones the first", () => {
  expect(closestName("read_flies", ["read_fields", "read_files"])).toBe("read_files");
  expect(closestName("tool_c", ["tool_a", "tool_b"])).toBe("tool_a");
});

test("a suggestion names the close name alone, or all names when none is close", () => {
  expect(suggestion("wehn", known)).toBe("(did you mean when?)");
  expect(suggestion("deadline", ["when", "argsSchema"])).toBe("(there are when, argsSchema)");
});
