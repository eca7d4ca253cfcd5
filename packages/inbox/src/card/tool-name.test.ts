import { expect, test } from "vitest";
import { plainToolName } from "./tool-name.ts";

test.each([
  ["send_email", "Send email"],
  ["sendEmail", "Send email"],
  ["getURLForUser", "Get URL for user"],
  ["github__create-issue", "Github · Create issue"],
  ["crm.getOwner", "Crm · Get owner"],
  ["发送邮件", "发送邮件"],
  ["constructor", "Constructor"],
  ["__", "__"],
  ["send\u202Eemail", "send\u202Eemail"],
])("%s reads as %s", (name, words) => {
  expect(plainToolName(name)).toBe(words);
});
