import { expect, test } from "vitest";
import { z } from "zod";
import { suggestions } from "../suggestions.ts";
import { RuleModel } from "./rule-model.ts";
import phrasings from "./phrasings.json" with { type: "json" };

const schema = z.array(
  z.object({
    say: z.string(),
    calls: z.array(z.object({ name: z.string(), args: z.record(z.string(), z.unknown()) })),
  }),
);

async function callsFor(say: string) {
  const { tool_calls: calls = [] } = await new RuleModel().invoke(say);
  return calls.map(({ name, args }) => ({ name, args }));
}

test.each(schema.parse([...phrasings.en, ...phrasings.zh]))("$say", async ({ say, calls }) => {
  const made = await callsFor(say);
  expect(made.map(({ name }) => name)).toEqual(calls.map(({ name }) => name));
  expect(made).toMatchObject(calls);
});

test.each([...suggestions.en, ...suggestions["zh-CN"]])("suggested: %s", async (say) => {
  expect((await callsFor(say)).length).toBeGreaterThan(0);
});
