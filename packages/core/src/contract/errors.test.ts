import { describe, expect, test } from "vitest";
import { errorTable, HoldpointError, refusalOf } from "./errors.ts";

describe("errors", () => {
  test("every code has an HTTP status that says whose fault it is", () => {
    for (const status of Object.values(errorTable)) {
      expect([400, 401, 404, 409, 413, 422, 500, 502, 503]).toContain(status);
    }
  });

  test("an error is recognised by its code, whichever copy of the class it came from", () => {
    const cause = new Error("why");
    const error = new HoldpointError("thread_busy", "Thread t is busy.", {
      cause,
      details: { threadId: "t" },
    });
    expect(error).toMatchObject({ name: "HoldpointError", code: "thread_busy", cause });
    const refusal = {
      code: "thread_busy",
      message: "Thread t is busy.",
      details: { threadId: "t" },
    };
    expect(refusalOf(error)).toEqual(refusal);
    expect(refusalOf(Object.assign(new Error(refusal.message), refusal))).toEqual(refusal);
  });

  test.each([
    ["an error of Node", Object.assign(new Error("x"), { code: "ENOENT" })],
    ["a name of Object.prototype", { code: "constructor", message: "x" }],
    ["a code that is no text", { code: 500, message: "x" }],
    ["something without a message", { code: "internal" }],
    ["a text", "internal"],
    ["null", null],
  ])("%s is none of ours", (_name, error) => {
    expect(refusalOf(error)).toBeUndefined();
  });

  test("without a cause and details an error has none", () => {
    const error = new HoldpointError("internal", "x");
    expect("cause" in error).toBe(false);
    expect(error.details).toEqual({});
  });
});
