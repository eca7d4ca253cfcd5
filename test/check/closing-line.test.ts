import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What `npm test` ends with in a repository whose only tests are these files. */
function runTests(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-closing-"));
  try {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    mkdirSync(join(folder, "packages/some/src"), { recursive: true });
    for (const [name, body] of Object.entries(files)) {
      const text = `import { beforeAll, expect, test } from "vitest";\n${body}\n`;
      writeFileSync(join(folder, "packages/some/src", name), text);
    }
    const { status, stdout } = spawnSync(
      process.execPath,
      ["scripts/test.mjs", `--root=${folder}`, `--config=${root}vitest.config.ts`, "packages/"],
      { cwd: root, encoding: "utf8" },
    );
    return { status, lastLine: stdout.trimEnd().split("\n").at(-1) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const passing = 'test("passes", () => {});';

test("passed tests are counted, skipped ones are not, and the run succeeds", () => {
  const ending = runTests({ "a.test.ts": `${passing}\ntest.skip("skipped", () => {});` });
  expect(ending).toEqual({ status: 0, lastLine: "1 passed, 0 failed" });
});

const failures: ReadonlyArray<readonly [what: string, body: string, lastLine: string]> = [
  ["a failed test", 'test("fails", () => expect(1).toBe(2));', "1 passed, 1 failed"],
  ["a file that does not load", 'await import("./missing.ts");', "1 passed, 1 failed"],
  ["a file without tests", "", "1 passed, 1 failed"],
  [
    "a hook that throws",
    'beforeAll(() => { throw new Error("no"); });\ntest("never runs", () => {});',
    "1 passed, 1 failed",
  ],
  ["an error nobody awaits", `${passing}\nvoid Promise.reject(new Error());`, "2 passed, 1 failed"],
  ["`.only`", 'test.only("alone", () => {});', "1 passed, 1 failed"],
];

test.each(failures)("%s counts as one failure and fails the run", (_, body, lastLine) => {
  expect(runTests({ "a.test.ts": passing, "b.test.ts": body })).toEqual({ status: 1, lastLine });
});

test("a worker that dies fails the run", () => {
  const dying = 'test("dies", () => process.kill(process.pid, "SIGKILL"));';
  const { status, lastLine } = runTests({ "a.test.ts": passing, "b.test.ts": dying });
  expect(status).toBe(1);
  expect(lastLine).toMatch(/^1 passed, [1-9]\d* failed$/);
});

test("a run without any test fails", () => {
  expect(runTests({})).toEqual({ status: 1, lastLine: "0 passed, 1 failed" });
});

/** What `.ci/run` ends with when `npm test` and `npm run proof` print this and end so. */
function runCi(ends: {
  readonly test: readonly [string, number];
  readonly proof: readonly [string, number];
}) {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-ci-"));
  try {
    mkdirSync(join(folder, ".ci"));
    cpSync(join(root, ".ci/run"), join(folder, ".ci/run"));
    const say = ([line, code]: readonly [string, number]) => `echo "${line}"; exit ${code};;`;
    const npm = `#!/bin/sh\ncase "$*" in test) ${say(ends.test)} "run proof") ${say(ends.proof)} esac\n`;
    for (const [name, text] of Object.entries({ npm, strace: "#!/bin/sh\n" }))
      writeFileSync(join(folder, name), text, { mode: 0o755 });
    const { status, stdout } = spawnSync("bash", [join(folder, ".ci/run")], {
      encoding: "utf8",
      env: { ...process.env, PATH: `${folder}:${process.env["PATH"] ?? ""}` },
    });
    return { status, lastLine: stdout.trimEnd().split("\n").at(-1) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test.each([
  ["all passes", ["3 passed, 0 failed", 0], ["2 passed, 0 failed", 0], 0, "5 passed, 0 failed"],
  ["a proof fails", ["3 passed, 0 failed", 0], ["1 passed, 1 failed", 1], 1, "4 passed, 1 failed"],
  ["a test fails", ["2 passed, 1 failed", 1], ["2 passed, 0 failed", 0], 1, "4 passed, 1 failed"],
  ["the proofs count nothing", ["3 passed, 0 failed", 0], ["oh", 0], 1, "3 passed, 1 failed"],
] as const)(
  "the CI run counts tests and proofs together: %s",
  (_what, ofTests, ofProofs, status, lastLine) => {
    expect(runCi({ test: ofTests, proof: ofProofs })).toEqual({ status, lastLine });
  },
);
