import { expect, test } from "vitest";
import { holdDeepAgent } from "./hold-deep-agent.ts";
import { memory } from "./set-up.ts";

test.each([
  ["interrupt_on", "interruptOn"],
  ["interuptOn", "interruptOn"],
  ["permisions", "permissions"],
  ["subAgents", "subagents"],
  ["max_rejections", "maxRejections"],
])("%s is refused when the agent is built, and %s proposed", (written, meant) => {
  expect(() => holdDeepAgent({ ...memory(), [written]: {} })).toThrow(
    expect.objectContaining({
      code: "config_invalid",
      message: `The option ${written} is not known; did you mean ${meant}?`,
      details: { key: written },
    }),
  );
});

test("a subagent's misspelled name is refused with the subagent's", () => {
  const clerk = { name: "clerk", description: "pays", systemPrompt: "", permision: [] };
  expect(() => holdDeepAgent({ ...memory(), subagents: [clerk] })).toThrow(
    "subagents.clerk.permision is not known; did you mean permissions?",
  );
});

test("deepagents' own parameters pass, those of a later version too", () => {
  const names =
    "systemPrompt stateSchema middleware responseFormat contextSchema store backend name";
  const more = "memory skills streamTransformers aLaterParameter";
  const given = Object.fromEntries(`${names} ${more}`.split(" ").map((name) => [name, undefined]));
  expect(() => holdDeepAgent({ ...memory(), ...given })).not.toThrow();
});
