import { describe, expect, test } from "vitest";
import { problemsWithTexts, reduceForm, startForm, typedAt } from "./form-state.ts";
import { setAt } from "./path.ts";
import { readTyped } from "./typed-value.ts";

const original = { to: "a@b.c", items: [{ n: 1 }, { n: 2 }, { n: 3 }], note: "" };

describe("the state of the form", () => {
  test("a number that is not one is kept as typed, and nothing can be sent", () => {
    const path = ["items", 0, "n"];
    let state = reduceForm(startForm(original), { type: "typed", path, text: "1,5", as: "number" });
    expect(state.args).toEqual(original);
    expect(problemsWithTexts(state)).toEqual([{ path, problem: "not_a_number" }]);
    expect(reduceForm(state, { type: "compared" }).step).toBe("form");
    state = reduceForm(state, { type: "typed", path, text: "1.50", as: "number" });
    expect(state.args).toMatchObject({ items: [{ n: 1.5 }, { n: 2 }, { n: 3 }] });
    expect(typedAt(state, path)?.text).toBe("1.50");
  });

  test("a typed text stays with its item when items before it go or change places", () => {
    const typed = reduceForm(startForm(original), {
      type: "typed",
      path: ["items", 2, "n"],
      text: "x",
      as: "number",
    });
    const moved = reduceForm(typed, { type: "moved_up", path: ["items", 2] });
    expect(moved.args["items"]).toEqual([{ n: 1 }, { n: 3 }, { n: 2 }]);
    expect(typedAt(moved, ["items", 1, "n"])?.text).toBe("x");
    const removed = reduceForm(moved, { type: "removed", path: ["items", 0] });
    expect(removed.args["items"]).toEqual([{ n: 3 }, { n: 2 }]);
    expect(typedAt(removed, ["items", 0, "n"])?.text).toBe("x");
  });

  test("an added number is blank until somebody types it", () => {
    const state = reduceForm(startForm(original), {
      type: "started",
      path: ["items", 3],
      start: { value: { n: 0 }, blanks: [["n"]] },
    });
    expect(problemsWithTexts(state)).toEqual([
      { path: ["items", 3, "n"], problem: "not_a_number" },
    ]);
  });

  test("removing a field and leaving it empty are different", () => {
    const removed = reduceForm(startForm(original), { type: "removed", path: ["note"] });
    expect(removed.args).not.toHaveProperty("note");
    const emptied = reduceForm(startForm(original), { type: "set", path: ["to"], value: "" });
    expect(emptied.args).toHaveProperty("to", "");
  });

  test("a new key takes its place in the order of the schema, after the keys that were there", () => {
    const start = { value: 1, blanks: [] };
    const order = ["first", "second"];
    let state = startForm(original);
    state = reduceForm(state, { type: "started", path: ["second"], start, order });
    state = reduceForm(state, { type: "started", path: ["first"], start, order });
    expect(Object.keys(state.args)).toEqual(["to", "items", "note", "first", "second"]);
  });

  test("starting over gives the original arguments themselves", () => {
    const state = reduceForm(startForm(original, { to: "x" }), { type: "reset" });
    expect(state.args).toBe(original);
  });

  test("a path that leads nowhere is a bug, not a new key", () => {
    expect(() => setAt({ a: 1 }, ["constructor", "name"], "x")).toThrow("constructor.name");
  });
});

describe("a typed text", () => {
  test.each([
    ["12", "integer", { type: "value", value: 12 }],
    [" 1e3 ", "number", { type: "value", value: 1000 }],
    ["1.5", "integer", { type: "problem", problem: "not_an_integer" }],
    ["", "number", { type: "problem", problem: "not_a_number" }],
    ["0x10", "number", { type: "problem", problem: "not_a_number" }],
    ["１２", "number", { type: "problem", problem: "not_a_number" }],
    ["Infinity", "number", { type: "problem", problem: "not_a_number" }],
    ["1e999", "number", { type: "problem", problem: "number_not_exact" }],
    ["-0", "number", { type: "problem", problem: "number_not_exact" }],
    ["9007199254740993", "integer", { type: "problem", problem: "number_not_exact" }],
    ["0.1000000000000000055", "number", { type: "problem", problem: "number_not_exact" }],
    ["1.2300", "number", { type: "value", value: 1.23 }],
    ['{"a":[1]}', "json", { type: "value", value: { a: [1] } }],
    ['{"__proto__":1}', "json", { type: "problem", problem: "not_json" }],
    ["{a:1}", "json", { type: "problem", problem: "not_json" }],
  ] as const)("%j as %s", (text, as, result) => {
    expect(readTyped(text, as)).toEqual(result);
  });
});
