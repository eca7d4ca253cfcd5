import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { isSupported } from "./node-version.mjs";

test.each([
  ["v20.20.2", false],
  ["v22.22.2", false],
  ["v22.22.3", true],
  ["v22.23.0", true],
  ["v23.11.0", false],
  ["v24.14.1", false],
  ["v24.15.0", true],
  ["v25.9.0", false],
  ["v26.0.0", true],
])("Node %s is supported: %s", (version, expected) => {
  expect(isSupported(version)).toBe(expected);
});

test("a script run by an unsupported Node stops with one sentence that says what to do", () => {
  const pretend = 'Object.defineProperty(process, "version", { value: "v20.20.2" });';
  const script = fileURLToPath(new URL("check-docs.mjs", import.meta.url));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`, script],
    { encoding: "utf8" },
  );
  expect(status).toBe(1);
  expect(stdout).toBe("");
  expect(stderr.trim()).toMatch(/^Holdpoint found Node v20\.20\.2 but needs .* npm install.*\.$/);
});
