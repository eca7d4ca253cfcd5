import { HoldpointError } from "@holdpoint/core";
import { expect, test } from "vitest";
import { refusalIn } from "./refusal-in.ts";

const refused = new HoldpointError("decision_count", "One is missing.", { details: { open: 1 } });

test("a refusal is found in the error itself and in what it was caused by", () => {
  const wrapped = new Error("run", { cause: new Error("middleware", { cause: refused }) });
  for (const error of [refused, wrapped]) {
    expect(refusalIn(error)).toEqual({
      code: "decision_count",
      message: "One is missing.",
      details: { open: 1 },
    });
  }
});

test("any other error has none, even one that is its own cause", () => {
  const circular = new Error("around");
  circular.cause = circular;
  const coded = Object.assign(new Error("not found"), { code: "ENOENT" });
  for (const error of [circular, coded, undefined, "decision_count", new Error("x", { cause: 1 })])
    expect(refusalIn(error)).toBeUndefined();
});
