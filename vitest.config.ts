import { defaultClientConditions, defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";
import { TestCounts } from "./scripts/test-counts.mjs";

const source = "@holdpoint/source";
const minute = 60_000;

export default defineConfig({
  resolve: { conditions: [source, ...defaultClientConditions] },
  ssr: { resolve: { conditions: [source, ...defaultServerConditions] } },
  test: {
    reporters: ["default", new TestCounts()],
    allowOnly: false,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [
            "packages/*/src/**/*.test.{ts,tsx}",
            "docs/guides/snippets/*.test.ts",
            "examples/**/*.test.ts",
            "scripts/**/*.test.ts",
            "test/differential/*.test.ts",
          ],
          testTimeout: minute / 2,
          hookTimeout: minute,
        },
      },
      {
        extends: true,
        test: {
          name: "whole",
          include: ["test/**/*.test.ts"],
          exclude: ["test/differential/**"],
          // Each starts servers, databases and browsers of its own; two at once only get slower.
          fileParallelism: false,
          testTimeout: 3 * minute,
          hookTimeout: 3 * minute,
        },
      },
      {
        extends: true,
        test: {
          name: "proof",
          include: ["test/**/*.proof.ts"],
          fileParallelism: false,
          testTimeout: 3 * minute,
        },
      },
    ],
  },
});
