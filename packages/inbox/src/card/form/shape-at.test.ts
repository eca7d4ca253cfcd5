import { expect, test } from "vitest";
import { shapeAt } from "./shape-at.ts";

const root = {
  type: "object",
  properties: {
    state: { enum: ["in progress", "in review"] },
    parts: { type: "array", items: { anyOf: [{ type: "null" }, { $ref: "#/$defs/part" }] } },
  },
  $defs: { part: { type: "object", properties: { kind: { enum: ["a", "b"] } } } },
};
const args = { state: "in review", parts: [null, { kind: "a", note: "x" }], other: 1 };

test("the shape of a part is found through objects, lists, references and nullable values", () => {
  expect(shapeAt(root, args, ["state"])?.type).toBe("choice");
  expect(shapeAt(root, args, ["parts", 1, "kind"])?.type).toBe("choice");
  expect(shapeAt(root, args, ["parts", 1, "note"])?.type).toBeUndefined();
  expect(shapeAt(root, args, ["constructor"])).toBeUndefined();
});
