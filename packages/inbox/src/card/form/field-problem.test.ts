import { problemWithArgs } from "@holdpoint/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { problemPath, readableProblem } from "./field-problem.ts";

const step = fc
  .oneof(
    fc.constantFrom("a", "a b", "a/b", "~", "#", "名称", "constructor"),
    fc.string({ minLength: 1 }),
  )
  .filter((key) => key !== "__proto__" && key.isWellFormed());

test("the problem of any field is found at the path of that field", () => {
  fc.assert(
    fc.property(step, step, (outer, inner) => {
      const number = { type: "object", properties: { [inner]: { type: "number" } } };
      const schema = { type: "object", properties: { [outer]: number } };
      const problem = problemWithArgs(schema, { [outer]: { [inner]: "x" } });
      expect(problem?.path).toBe(problemPath([outer, inner]));
    }),
  );
});

test("a problem is readable: no escapes, no place said twice", () => {
  const schema = { properties: { 名称: { type: "string" } } };
  const problem = problemWithArgs(schema, { 名称: 5 });
  expect(problem && readableProblem(problem)).toEqual({
    where: "名称",
    what: 'Instance type "number" is invalid. Expected "string"',
  });
});
