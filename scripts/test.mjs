// `npm test`: every test, in one Vitest run. Arguments go to Vitest: `npm test -- packages/core`
// runs what lies there. The last line printed is always `N passed, N failed`. Proofs, which need more of
// the system than npm brings, are run by `npm run proof`.
import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { buildInbox, isCurrent } from "./inbox-build.mjs";
import { root, toolPath } from "./run-tool.mjs";

const given = process.argv.slice(2);
const isProof = given.includes("--project=proof");
const args = isProof ? given : ["--project=unit", "--project=whole", ...given];
const isInboxReady = prepareInbox();
const { status, passed, failed: failedTests } = runVitest();
let failed = failedTests + (isInboxReady ? 0 : 1);
// Vitest can fail, or run nothing at all, without a failed test.
if (failed === 0 && (status !== 0 || passed === 0)) failed = 1;
// exitCode, not exit(): the line must be out before the process ends.
process.exitCode = failed > 0 ? 1 : 0;
console.log(`${passed} passed, ${failed} failed`);

/** A package's own tests do without the built inbox, so runs narrowed to packages skip it. */
function prepareInbox() {
  const filters = args.filter((arg) => !arg.startsWith("-"));
  const isNarrowed =
    filters.length > 0 && filters.every((filter) => filter.startsWith("packages/"));
  if (isProof || isNarrowed || isCurrent()) return true;
  console.log("Building the inbox.");
  return buildInbox();
}

function runVitest() {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-test-"));
  const countsFile = join(folder, "counts.json");
  const { status } = spawnSync(process.execPath, [toolPath("vitest"), "run", ...args], {
    // Its errors go to our standard output as well: kept apart, they could end up below our line.
    stdio: ["inherit", "inherit", process.stdout.fd],
    cwd: root,
    env: {
      ...process.env,
      // In NODE_OPTIONS, so that the servers and scripts that tests start see sources as well.
      NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --conditions=@holdpoint/source`.trim(),
      HOLDPOINT_TEST_COUNTS: countsFile,
    },
  });
  const isCounted = existsSync(countsFile);
  if (!isCounted) console.log("The test run ended before it could say what passed.");
  /** @type {{ passed: number, failed: number }} */
  const counts = isCounted
    ? JSON.parse(readFileSync(countsFile, "utf8"))
    : { passed: 0, failed: 1 };
  rmSync(folder, { recursive: true });
  return { status, ...counts };
}
