import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The lines in which the compiler finds something wrong with a file of this folder. */
async function compile(
  name: string,
  { importing, exact }: { readonly importing: string; readonly exact: boolean },
): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-types-"));
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    cpSync(join(root, "tsconfig.json"), join(folder, "root.json"));
    const config = {
      extends: "./root.json",
      compilerOptions: { exactOptionalPropertyTypes: exact },
      include: [name],
      exclude: [],
    };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    const text = readFileSync(join(root, "test/types", name), "utf8");
    writeFileSync(join(folder, name), text.replaceAll("@holdpoint/langchain", importing));
    const compiler = join(root, "node_modules/typescript/bin/tsc");
    const output = await new Promise<string>((resolve) => {
      execFile(process.execPath, [compiler, "--project", folder], (_error, stdout, stderr) => {
        resolve(stdout + stderr);
      });
    });
    return output.split("\n").filter((line) => line !== "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ours = "@holdpoint/langchain";

test("what a LangChain user writes compiles with LangChain's own import", async () => {
  expect(await compile("langchain-user.ts", { importing: "langchain", exact: false })).toEqual([]);
});

test("with the import replaced by ours it compiles too", async () => {
  expect(await compile("langchain-user.ts", { importing: ours, exact: false })).toEqual([]);
});

test("also with exactOptionalPropertyTypes, where createAgent refuses LangChain's own", async () => {
  const stock = await compile("langchain-user.ts", { importing: "langchain", exact: true });
  expect(stock.join("\n")).toContain("parameter of type 'never'");
  expect(await compile("langchain-user.ts", { importing: ours, exact: true })).toEqual([]);
});

test.each([true, false])("wrong names do not compile (exact: %s)", async (exact) => {
  expect(await compile("wrong-names.ts", { importing: ours, exact })).toEqual([]);
});
