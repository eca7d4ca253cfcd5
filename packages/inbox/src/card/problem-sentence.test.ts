import { type Json, problemWithArgs } from "@holdpoint/core";
import { expect, test } from "vitest";
import { readableProblem } from "./form/field-problem.ts";
import { problemSentence } from "./problem-sentence.ts";
import { chineseProblems, englishProblems } from "./problem-texts.ts";

test.each<readonly [object, Json, string, string]>([
  [{ type: "number" }, "x", "This must be a number.", "这里必须是数字。"],
  [
    { type: ["integer", "null"] },
    "x",
    "This must be a whole number or nothing (null).",
    "这里必须是整数或空值（null）。",
  ],
  [{ enum: ["a", 1] }, "x", "This must be one of: a, 1.", "只能是以下之一：a, 1。"],
  [{ const: "a" }, "x", 'This must be "a".', '只能是 "a"。'],
  [{ minimum: 5 }, 4, "This must be 5 or more.", "不能小于 5。"],
  [{ maximum: 5 }, 6, "This must be 5 or less.", "不能大于 5。"],
  [{ exclusiveMinimum: 0 }, 0, "This must be more than 0.", "必须大于 0。"],
  [{ exclusiveMinimum: 0 }, -1, "This must be more than 0.", "必须大于 0。"],
  [{ exclusiveMaximum: 5 }, 5, "This must be less than 5.", "必须小于 5。"],
  [{ multipleOf: 5 }, 6, "This must be a multiple of 5.", "必须是 5 的倍数。"],
  [{ minLength: 2 }, "x", "Too short: at least 2 characters.", "太短，至少 2 个字符。"],
  [{ maxLength: 2 }, "xxx", "Too long: at most 2 characters.", "太长，最多 2 个字符。"],
  [{ minItems: 1 }, [], "Too few items: at least 1.", "项数太少，至少 1 项。"],
  [{ maxItems: 1 }, [1, 2], "Too many items: at most 1.", "项数太多，最多 1 项。"],
  [
    { pattern: "^a$" },
    "x",
    "This does not have the form that the tool expects.",
    "这里的内容不符合工具要求的格式。",
  ],
  [{ format: "email" }, "x", "This must be an email address.", "这里必须是邮箱地址。"],
  [{ type: "object", required: ["k"] }, {}, '"k" is missing.', "缺少“k”。"],
  [
    { type: "object", additionalProperties: false },
    { k: 1 },
    "The tool does not accept this.",
    "工具不接受这一项。",
  ],
])("against %j the value %j is explained shortly in both languages", (schema, value, en, zh) => {
  const own: Json = JSON.parse(JSON.stringify(schema));
  const problem = problemWithArgs({ properties: { a: own } }, { a: value });
  const said = problem === undefined ? "" : readableProblem(problem).what;
  expect(problemSentence(said, englishProblems, own)).toBe(en);
  expect(problemSentence(said, chineseProblems, own)).toBe(zh);
});

test("what is not known is passed on as it was said", () => {
  expect(problemSentence("Something else", englishProblems)).toBe("Something else");
});
