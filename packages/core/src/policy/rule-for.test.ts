import { describe, expect, test } from "vitest";
import { compileInterruptOn } from "./interrupt-on.ts";
import { keysFor, keysWithoutTool, mostRemembered, ruleFor } from "./rule-for.ts";

const rulesOf = (...keys: readonly string[]) =>
  compileInterruptOn(Object.fromEntries(keys.map((key) => [key, true])), "allow");
const keyOf = (keys: readonly string[], tool: string) => ruleFor(rulesOf(...keys), tool)?.key;

describe("the rule for a tool", () => {
  test.each<readonly [keys: readonly string[], tool: string, key: string | undefined]>([
    [["*", "mcp_*", "mcp_pay"], "mcp_pay", "mcp_pay"],
    [["*", "mcp_*", "mcp_pay"], "mcp_read", "mcp_*"],
    [["*", "mcp_*", "mcp_pay"], "pay", "*"],
    [["mcp_*", "*_file"], "mcp_write_file", "mcp_*"],
    [["*_file", "mcp_*"], "mcp_write_file", "*_file"],
    [["mcp_*", "mcp_pay_*"], "mcp_pay_out", "mcp_*"],
    [["fs.*", "?s"], "ls", "?s"],
    [["fs.*"], "fsxread", undefined],
    [["pay", "mcp_*"], "delete_all", undefined],
    [[], "pay", undefined],
  ])("of %j, for %s, is %s", (keys, tool, key) => {
    expect(keyOf(keys, tool)).toBe(key);
  });

  test("is the one of the exact name also when it lets run what a glob holds", () => {
    const rules = compileInterruptOn({ "mcp_*": true, mcp_read: false, "*": true }, "deny");
    expect(ruleFor(rules, "mcp_read")).toEqual({ key: "mcp_read", rule: "allow" });
  });

  test("H14: is found for names of Object.prototype only when a key stands for them", () => {
    const names = ["constructor", "toString", "hasOwnProperty", "__proto__"];
    for (const name of names) {
      expect(keyOf(["pay", "mcp_*"], name)).toBeUndefined();
      expect(keyOf(["pay", "*"], name)).toBe("*");
      const listed = compileInterruptOn(JSON.parse(`{"${name}":false,"*":true}`), "allow");
      expect(ruleFor(listed, name)).toEqual({ key: name, rule: "allow" });
    }
  });

  test("is the same however often it is asked for, and only so many names are remembered", () => {
    const rules = rulesOf("mcp_*", "*");
    const names = Array.from({ length: mostRemembered + 50 }, (_, index) => `mcp_${index}`);
    for (const name of [...names, ...names, "pay"]) {
      expect(ruleFor(rules, name)?.key).toBe(name === "pay" ? "*" : "mcp_*");
      expect(rules.remembered.size).toBeLessThanOrEqual(mostRemembered);
    }
    const without = rulesOf("mcp_*");
    for (const name of ["pay", "pay"]) expect(ruleFor(without, name)).toBeUndefined();
    expect([...without.remembered]).toEqual([["pay", undefined]]);
  });
});

test("every key that stands for a tool is named, the one that decides first", () => {
  const rules = rulesOf("*", "*_file", "mcp_*", "mcp_write_file", "pay");
  expect(keysFor(rules, "mcp_write_file")).toEqual(["mcp_write_file", "*_file", "mcp_*", "*"]);
  expect(keysFor(rules, "read")).toEqual(["*"]);
});

test("a key that stands for no tool is named, with the tool that was probably meant", () => {
  const tools = ["send_email", "read_file", "mcp_pay"];
  const rules = rulesOf(
    "sendEmail",
    "raed_file",
    "archive",
    "mcp_pya",
    "mcp_pay",
    "mcp_*",
    "fs.*",
    "*",
  );
  expect(keysWithoutTool(rules, tools)).toEqual([
    { key: "sendEmail", meant: "send_email" },
    { key: "raed_file", meant: "read_file" },
    { key: "archive", meant: undefined },
    { key: "mcp_pya", meant: undefined }, // mcp_pay has a rule of its own
    { key: "fs.*", meant: undefined },
  ]);
});
