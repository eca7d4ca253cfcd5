import { expect, test } from "vitest";
import { humanInTheLoopMiddleware } from "./human-in-the-loop.ts";

test.each<readonly [problem: string, options: object, key: string, hint: string]>([
  ["a misspelt option", { unlistd: "deny" }, "unlistd", "(did you mean unlisted?)"],
  [
    "an option in the other casing",
    { interrupt_mode: "per_call" },
    "interrupt_mode",
    "(did you mean interruptMode?)",
  ],
  ["an unknown option", { timeout: 5 }, "timeout", "(there are interruptOn, "],
  [
    "a misspelt option of a rule",
    { interruptOn: { "mcp_*": { allowedDecisions: ["approve"], whne: () => true } } },
    "mcp_*.whne",
    "(did you mean when?)",
  ],
  [
    "no decision at all (H16)",
    { interruptOn: { pay: { allowedDecisions: [] } } },
    "pay.allowedDecisions",
    "at least one decision",
  ],
])("H15: %s fails when the middleware is made, and the key is named", (_, options, key, hint) => {
  const make = () => humanInTheLoopMiddleware({ interruptOn: { pay: true }, ...options });
  expect(make).toThrow(
    expect.objectContaining({
      code: "config_invalid",
      details: { key },
      message: expect.stringContaining(hint),
    }),
  );
});
