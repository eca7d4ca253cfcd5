import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fitsGlob } from "./tool-name-glob.ts";

describe("a glob", () => {
  test.each<readonly [glob: string, fitting: readonly string[], other: readonly string[]]>([
    ["mcp_*", ["mcp_", "mcp_read", "mcp_*"], ["mcp", "MCP_read", "a_mcp_read"]],
    ["*_file", ["_file", "read_file", "a_file_file"], ["read_files", "file"]],
    ["fs.*", ["fs.read", "fs."], ["fs", "fs_read", "afs.read"]],
    ["?s", ["ls", "$s"], ["s", "als"]],
    ["a*b?c", ["abxc", "a--b-bxc"], ["abc", "abxcd"]],
    ["*", ["", "anything", "constructor"], []],
    ["a**b", ["ab", "axxb"], ["a", "b"]],
    ["(a|b)+*", ["(a|b)+", "(a|b)+c"], ["a", "aab"]],
  ])("%s fits whole names only, and nothing but * and ? is special", (glob, fitting, other) => {
    expect(fitting.filter((name) => !fitsGlob(glob, name))).toEqual([]);
    expect(other.filter((name) => fitsGlob(glob, name))).toEqual([]);
  });

  test("fits exactly what the regular expression that spells it out fits", () => {
    const regex = new Map([
      ["*", "[^]*"],
      ["?", "[^]"],
      [".", "\\."],
    ]);
    const text = fc.array(fc.constantFrom("a", "b", "*", "?", "."), { maxLength: 8 });
    fc.assert(
      fc.property(text, text, (glob, name) => {
        const spelled = glob.map((one) => regex.get(one) ?? one);
        const expected = new RegExp(`^${spelled.join("")}$`).test(name.join(""));
        expect(fitsGlob(glob.join(""), name.join(""))).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  test("with many stars takes no longer than its length times the name's", () => {
    const name = "a".repeat(20_000);
    const start = performance.now();
    expect(fitsGlob("*a".repeat(30) + "*b", name)).toBe(false);
    // A regular expression that backtracks would not end within the life of the universe.
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});
