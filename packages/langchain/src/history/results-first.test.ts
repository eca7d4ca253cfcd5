import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { resultsFirst } from "./results-first.ts";

const human = (id: string) => new HumanMessage({ id, content: id });
const card = (id: string) => new AIMessage({ id, content: id });
const turn = (id: string, ...calls: string[]) =>
  new AIMessage({
    id,
    content: "",
    tool_calls: calls.map((call) => ({ type: "tool_call", id: call, name: "t", args: {} })),
  });
const result = (call: string) =>
  new ToolMessage({ id: `of ${call}`, tool_call_id: call, content: "" });
const idsOf = (messages: readonly BaseMessage[]) => messages.map(({ id }) => id);

test("a history in which nothing stands between is the same list", () => {
  const messages = [human("h"), turn("t", "1", "2"), result("1"), result("2"), card("done")];
  expect(resultsFirst(messages)).toBe(messages);
  const dangling = [turn("t", "1"), human("h"), card("done")];
  expect(resultsFirst(dangling)).toBe(dangling);
});

test("what joined while calls were on their way follows their results", () => {
  const messages = [
    human("h"),
    turn("t", "1", "2"),
    result("1"),
    card("card"),
    human("note"),
    result("2"),
    card("done"),
  ];
  expect(idsOf(resultsFirst(messages))).toEqual(["h", "t", "of 1", "of 2", "card", "note", "done"]);
});

test("each turn keeps its own, and nothing is lost", () => {
  const messages = [turn("t", "1"), card("c"), turn("u", "2"), card("d"), result("2"), human("h")];
  expect(idsOf(resultsFirst(messages))).toEqual(["t", "c", "u", "of 2", "d", "h"]);
});
