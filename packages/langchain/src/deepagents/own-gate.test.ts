import { expect, test } from "vitest";
import { joinOptions, joinRules } from "./own-gate.ts";

const hold = { allowedDecisions: ["approve"] } as const;

test.each([
  [
    "a tool that only the subagent's gate holds is held",
    { pay: true },
    { mail: true },
    { pay: true, mail: true },
  ],
  ["a held tool cannot be freed", { pay: true }, { pay: false }, { pay: true }],
  ["a held tool keeps the agent's rule", { pay: true }, { pay: hold }, { pay: true }],
  ["a tool held by a glob cannot be freed", { "pay*": true }, { pay_now: false }, { "pay*": true }],
  ["a tool held by the catch-all cannot be freed", { "*": true }, { pay: false }, { "*": true }],
  ["a tool that the agent frees may be held", { pay: false }, { pay: hold }, { pay: hold }],
])("%s", (_what, inherited, own, joined) => {
  expect(joinRules(inherited, own)).toEqual(joined);
});

test("of two answers for unlisted tools the stricter one counts, and the other options are the gate's own", () => {
  const inherited = { agent: "lead/clerk", unlisted: "review", maxRejections: 3 } as const;
  expect(joinOptions(inherited, { unlisted: "allow", maxRejections: 1, agent: "x" })).toMatchObject(
    {
      agent: "lead/clerk",
      unlisted: "review",
      maxRejections: 1,
    },
  );
  expect(joinOptions(inherited, { unlisted: "deny" })).toMatchObject({ unlisted: "deny" });
  expect(joinOptions(inherited, undefined)).toBe(inherited);
});
