import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { interruptOn } from "./policy.ts";

/** What the policy allows for a call: the decisions of a reviewer, or that it just runs. */
function verdict(name: keyof typeof interruptOn, args: Record<string, unknown>): string {
  const policy = interruptOn[name];
  if (typeof policy === "boolean") return policy ? "approve, edit, reject" : "runs";
  const isHeld = policy.when?.({ toolCall: { name, args } }) ?? true;
  return isHeld ? policy.allowedDecisions.join(", ") : "runs";
}

test.each([
  ["read_file", { path: "notes/today.md" }, "runs"],
  ["write_file", { path: "notes/a.txt", content: "" }, "approve, edit, reject"],
  ["write_file", { path: "drafts/a.txt", content: "" }, "runs"],
  ["write_file", { path: "./drafts/b/a.txt", content: "" }, "runs"],
  ["write_file", { path: "notes/../drafts/a.txt", content: "" }, "runs"],
  ["write_file", { path: "drafts/../x", content: "" }, "approve, edit, reject"],
  ["write_file", { path: "drafts/b/../../x", content: "" }, "approve, edit, reject"],
  ["write_file", { path: "drafts\\..\\x", content: "" }, "approve, edit, reject"],
  ["write_file", { path: "drafts/..\\x", content: "" }, "approve, edit, reject"],
  ["write_file", { path: "/drafts/x", content: "" }, "approve, edit, reject"],
  ["write_file", { path: "../drafts/x", content: "" }, "approve, edit, reject"],
  ["write_file", { path: "draftsx/a", content: "" }, "approve, edit, reject"],
  ["write_file", { path: "drafts", content: "" }, "approve, edit, reject"],
  ["write_file", { path: "drafts/", content: "" }, "approve, edit, reject"],
  ["write_file", { path: ["drafts/a"], content: "" }, "approve, edit, reject"],
  ["write_file", {}, "approve, edit, reject"],
  ["delete_file", { path: "drafts/a.txt" }, "approve, reject"],
  ["archive_file", { path: "drafts/a.txt" }, "approve, edit, reject"],
  ["send_email", { to: ["a@x.com"], subject: "", body: "" }, "approve, reject"],
  ["issue_refund", { order: "1", amount: 1000, currency: "EUR" }, "runs"],
  ["issue_refund", { order: "1", amount: 1000.01, currency: "EUR" }, "approve, edit, reject"],
  ["issue_refund", { order: "1", amount: Number.NaN, currency: "EUR" }, "approve, edit, reject"],
  ["issue_refund", { order: "1", amount: -2000, currency: "EUR" }, "approve, edit, reject"],
  ["issue_refund", { order: "1", amount: "5", currency: "EUR" }, "approve, edit, reject"],
  ["issue_refund", { order: "1" }, "approve, edit, reject"],
  ["ask_user", { question: "?" }, "respond"],
] as const)("%s %j: %s", (name, args, expected) => {
  expect(verdict(name, args)).toBe(expected);
});

test.each([
  ["refund order A-1 by 1500 EUR", "Pays back more than 1000."],
  ["给订单 A-1 退款 1500 欧元", "退款超过 1000，需要人工确认。"],
  ["refund order A-1 by 1500 EUR, the note is in 报告.txt", "Pays back more than 1000."],
])("the reason is given in the language of the person: %s", (say, expected) => {
  const { issue_refund: policy } = interruptOn;
  if (typeof policy === "boolean") throw new Error("Refunds are not held.");
  const messages = [new HumanMessage("你好"), new HumanMessage(say), new AIMessage("…")];
  expect(policy.description({ name: "issue_refund", args: {} }, { messages })).toBe(expected);
});
