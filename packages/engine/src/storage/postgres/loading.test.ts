import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

test("the client of Postgres is loaded when a postgres:// address is opened, and not before", () => {
  const engine = new URL("../../index.ts", import.meta.url).href;
  const script = `
    import { createRequire } from "node:module";
    const isLoaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => /[\\\\/]pg[\\\\/]lib[\\\\/]/.test(file));
    const { openEngine } = await import(${JSON.stringify(engine)});
    const memory = await openEngine({ database: ":memory:" });
    await memory.close();
    const before = isLoaded();
    await openEngine({ database: "postgres://127.0.0.1:1/none" }).catch(() => undefined);
    console.log(JSON.stringify({ before, after: isLoaded() }));`;
  const printed = execFileSync(
    process.execPath,
    ["--conditions=@holdpoint/source", "--input-type=module", "--eval", script],
    { encoding: "utf8" },
  );
  expect(JSON.parse(printed)).toEqual({ before: false, after: true });
});
