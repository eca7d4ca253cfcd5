import { mkdir, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { launchBrowser } from "./harness/chromium.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

test("a browser starts, runs a page and takes a picture of it", async () => {
  const artifacts = fileURLToPath(new URL("artifacts/", import.meta.url));
  await mkdir(artifacts, { recursive: true });
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 480, height: 200 } });
    const page = await context.newPage();
    await page.setContent("<title>Hold</title><h1>Held / 已拦住 / موقوف</h1>");
    expect(await page.title()).toBe("Hold");
    expect(await page.evaluate(() => document.querySelector("h1")?.textContent)).toContain(
      "已拦住",
    );
    await page.screenshot({ path: `${artifacts}chromium.png` });
    await context.close();
  } finally {
    await browser.close();
  }
  expect((await stat(`${artifacts}chromium.png`)).size).toBeGreaterThan(1000);
});

test("a CHROMIUM_PATH that leads nowhere fails with one sentence", async () => {
  vi.stubEnv("CHROMIUM_PATH", "/nowhere/chromium");
  await expect(launchBrowser()).rejects.toThrow(/^Chromium could not start: .*\/nowhere\/chromium/);
});
