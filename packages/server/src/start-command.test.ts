import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { main } from "./command-line.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** What `holdpoint start` says when it cannot start, over a configuration and a DATABASE_URL. */
async function refusalOf(config: string, databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-start-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "holdpoint.config.mjs");
  writeFileSync(file, `export default ${config};`);
  vi.stubEnv("DATABASE_URL", databaseUrl);
  const said = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await main(["start", "--config", file, "--data", join(folder, "data"), "--port", "0"]);
  expect(process.exitCode).toBe(1);
  expect(existsSync(join(folder, "data/holdpoint.db"))).toBe(false);
  return said.mock.calls.join("\n");
}

test.each([
  [
    "postgres://anna:secret@127.0.0.1:1/holdpoint",
    "The database postgres://127.0.0.1:1/holdpoint could not be opened (connect ECONNREFUSED 127.0.0.1:1); check the address, the user and that the server runs.",
  ],
  [
    "postgres://anna:secret#/@host:1/db",
    `The database address is not one that can be read; write it as "postgres://user:password@host:5432/name", with special characters of the password percent-encoded.`,
  ],
  [
    "mysql://anna:secret@host/db",
    `The database "mysql:…" is not supported; use "file:path/to/file.db", ":memory:" or "postgres://…".`,
  ],
])(
  "DATABASE_URL=%s stops the start with one sentence, without the password",
  async (url, sentence) => {
    expect(await refusalOf("{ agents: {} }", url)).toBe(sentence);
  },
);

test("the configuration names the database where the environment does not, and the environment goes first", async () => {
  const config = `{ agents: {}, database: "mysql:mine" }`;
  expect(await refusalOf(config, "")).toContain(`"mysql:…"`);
  expect(await refusalOf(config, "oracle:theirs")).toContain(`"oracle:…"`);
  expect(await refusalOf(`{ agents: {}, database: 7 }`, "")).toContain(`a mistake at "database"`);
});
