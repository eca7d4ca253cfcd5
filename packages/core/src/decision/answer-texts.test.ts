import { describe, expect, test } from "vitest";
import type { Outcome } from "../contract/review-view.ts";
import {
  deniedText,
  expiredText,
  refusedText,
  rejectedText,
  rejectionReason,
} from "./answer-texts.ts";

type Rejected = Omit<Extract<Outcome, { type: "rejected" }>, "type">;

describe("the reason of a rejection", () => {
  test.each<readonly [Rejected, string | undefined]>([
    [{}, undefined],
    [{ message: "" }, undefined],
    [{ message: "   " }, undefined],
    [{ message: " Ask Ann first " }, "Ask Ann first"],
    [{ message: "Ask Ann", rejection: { because: "late" } }, "Ask Ann"],
    [{ message: " ", rejection: { because: "late" } }, "No, because late."],
    [{ rejection: { because: "it is late." } }, "No, because it is late."],
    [{ rejection: { instead: "wait" } }, "Instead: wait."],
    [{ rejection: { bounds: "below 100 CHF" } }, "Within these bounds: below 100 CHF."],
    [
      { rejection: { because: "太晚了。", instead: "明天", bounds: "上午" } },
      "No, because 太晚了. Instead: 明天. Within these bounds: 上午.",
    ],
    [{ rejection: {} }, undefined],
    [{ rejection: { because: "" } }, undefined],
  ])("of %j is %j", (rejected, reason) => {
    expect(rejectionReason({ type: "rejected", ...rejected })).toBe(reason);
  });
});

describe("what the model reads", () => {
  test("after a deadline: that nobody decided, not that somebody rejected it", () => {
    expect(expiredText("send_email")).toBe(
      "Nobody decided this call to `send_email` before its deadline passed, so it was rejected. The tool was not executed. Do not try this call again unless the user asks for it.",
    );
  });

  test("after a rejection without a reason: not executed, and not to be tried again", () => {
    expect(rejectedText("pay", undefined)).toBe(
      "The reviewer rejected this call to `pay`. The tool was not executed. Do not try this call again unless the user asks for it.",
    );
  });

  test.each([
    ["too much", "too much."],
    ["too much!", "too much!"],
    ["太多了。", "太多了。"],
    [" why? ", "why?"],
  ])("after a rejection with the reason %j: the reason, and to adjust", (reason, shown) => {
    expect(rejectedText("pay", reason)).toBe(
      `The reviewer rejected this call to \`pay\`: ${shown} The tool was not executed. Adjust accordingly before trying again.`,
    );
  });

  test("after a denial and a refusal: why, and that the tool was not executed", () => {
    expect(deniedText("pay", "only on weekdays")).toBe(
      "Policy does not allow this call to `pay`: only on weekdays. The tool was not executed.",
    );
    expect(refusedText("pay", "its permit is already started.")).toBe(
      "This call to `pay` was stopped: its permit is already started. The tool was not executed.",
    );
  });
});
