import { expect, test } from "vitest";
import { readDuration } from "./duration.ts";

test.each([
  ["90s", 90_000],
  ["30m", 1_800_000],
  ["4h", 14_400_000],
  ["4 h", 14_400_000],
  ["7d", 604_800_000],
  ["366d", 31_622_400_000],
  [1, 1],
  [14_400_000, 14_400_000],
])("%j is %d milliseconds", (value, milliseconds) => {
  expect(readDuration(value)).toBe(milliseconds);
});

test.each([
  "",
  "4",
  "h",
  "4H",
  "4 hours",
  "-1h",
  "1.5h",
  "1h30m",
  " 4h",
  "0s",
  "367d",
  "999999999d",
  "9999999999s",
  0,
  -1,
  1.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  366 * 86_400_000 + 1,
  null,
  undefined,
  true,
  {},
  ["4h"],
])("%j is no duration", (value) => {
  expect(readDuration(value)).toBeUndefined();
});
