import { expect, test } from "vitest";
import { formatTime, formatWaited } from "./format-time.ts";

const start = "2026-11-30T12:00:00.000Z";

function after(seconds: number): string {
  return new Date(Date.parse(start) + seconds * 1000).toISOString();
}

test.each([
  [0, "0 sec", "0秒"],
  [59, "59 sec", "59秒"],
  [61, "1 min", "1分钟"],
  [3599, "59 min", "59分钟"],
  [3600, "1 hr", "1小时"],
  [3900, "1 hr 5 min", "1小时 5分钟"],
  [90_000, "1 day 1 hr", "1天 1小时"],
  [86_400 * 40, "40 days", "40天"],
])("after %i seconds it has waited %s", (seconds, english, chinese) => {
  expect(formatWaited(start, after(seconds), "en")).toBe(english);
  expect(formatWaited(start, after(seconds), "zh-CN")).toBe(chinese);
});

test("a clock behind the server's never shows a negative time", () => {
  expect(formatWaited(after(30), start, "en")).toBe("0 sec");
});

test("a time that cannot be read is shown as it is", () => {
  expect(formatTime("yesterday", "en")).toBe("yesterday");
  expect(formatWaited("yesterday", start, "en")).toBe("0 sec");
});

test("a time is written the way the language writes it", () => {
  expect(formatTime(start, "en")).toMatch(/^Nov 30, 2026, \d\d:00$/);
  expect(formatTime(start, "zh-CN")).toMatch(/^2026年11月30日 \d\d:00$/);
});
