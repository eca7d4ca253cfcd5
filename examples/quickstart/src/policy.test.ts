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
