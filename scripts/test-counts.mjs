import { writeFileSync } from "node:fs";
import process from "node:process";

/** @import { Reporter, TestModule } from "vitest/node" */

/**
 * A Vitest reporter that writes `{ passed, failed }` to the file named by HOLDPOINT_TEST_COUNTS.
 * It counts tests; whatever keeps tests from running (a file that does not load, a hook that
 * throws, a worker that dies) counts as one failure each. `scripts/test.mjs` reads the file.
 * @implements {Reporter}
 */
export class TestCounts {
  /**
   * @param {ReadonlyArray<TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env["HOLDPOINT_TEST_COUNTS"];
    if (file === undefined) return;
    const counts = { passed: 0, failed: unhandledErrors.length };
    for (const module of modules) {
      counts.failed += module.errors().length;
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === "passed") counts.passed += 1;
        // A test still pending at the end never finished: its worker died.
        else if (state !== "skipped") counts.failed += 1;
      }
    }
    writeFileSync(file, JSON.stringify(counts));
  }
}
