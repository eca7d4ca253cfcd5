import { expect, test } from "vitest";
import { z } from "zod";
import { interruptOn } from "../policy.ts";
import { allTools } from "./all-tools.ts";

const tools = allTools({ workspace: "w", dataFolder: "d", outbox: "o", ledger: "l", env: {} });

test("every tool is covered by the policy", () => {
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(interruptOn));
});

test.each(tools.map((tool) => [tool.name, tool] as const))(
  "%s and each of its fields say what they are, in both languages for the form a reviewer sees",
  (_name, tool) => {
    expect(tool.description).toMatch(/^[A-Z].+\.$/);
    const { properties } = z.toJSONSchema(tool.schema);
    const described = Object.values(properties ?? {});
    expect(described.length).toBeGreaterThan(0);
    for (const field of described)
      expect(field).toMatchObject({ description: expect.stringMatching(/^[A-Z].+\. \/ .+。$/) });
  },
);
