import type { JsonObject } from "@holdpoint/core";
import { expect, test } from "vitest";
import { failureText } from "./failure-text.ts";
import { cardTexts } from "./texts.ts";

function refusedEdit(details: JsonObject): string {
  const refusal = { code: "edit_refused", message: "It was refused.", details } as const;
  return failureText({ type: "refused", refusal }, cardTexts.en);
}

test("a refused edit says the place and the problem once, and not what to do in the server's words", () => {
  expect(
    refusedEdit({
      path: "amount",
      why: '"amount": Instance type "string" is invalid. Expected "number"; correct it and send again',
    }),
  ).toBe('The edit was refused at "amount": This must be a number.');
  expect(refusedEdit({ why: "policy does not allow the edited call: too much" })).toBe(
    "The edit was refused: policy does not allow the edited call: too much.",
  );
  expect(refusedEdit({})).toBe("The edit was refused.");
});
