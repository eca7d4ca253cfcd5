import { expect, test } from "vitest";
import { subagentLine } from "./subagent-line.ts";
import { cardTexts } from "./texts.ts";

const asked = {
  agentPath: ["lead", "writer"],
  parentCall: { toolCallId: "call_1", name: "task" },
};

test("a subagent's review says the path to it and the call it runs in, in both languages", () => {
  expect(subagentLine(asked, cardTexts.en)).toBe(
    "A subagent asks: lead → writer, inside the call to task",
  );
  expect(subagentLine(asked, cardTexts["zh-CN"])).toBe(
    "由子智能体提出：lead → writer（在 task 调用中）",
  );
});

test("a subagent whose outer call is not known is named alone; the agent itself needs no line", () => {
  expect(subagentLine({ agentPath: ["lead", "writer"] }, cardTexts.en)).toBe(
    "A subagent asks: lead → writer",
  );
  expect(subagentLine({ agentPath: ["lead"] }, cardTexts.en)).toBeUndefined();
  expect(subagentLine({}, cardTexts.en)).toBeUndefined();
});
