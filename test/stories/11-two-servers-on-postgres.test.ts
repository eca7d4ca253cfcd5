import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { launchBrowser } from "../harness/chromium.ts";
import { startPostgres, type TestPostgres } from "../harness/postgres.ts";
import { type ServerProcess, startServer } from "../harness/server-process.ts";
import { cards, say } from "./stage.ts";

let postgres: TestPostgres;
let browser: Browser;

beforeAll(async () => {
  [postgres, browser] = await Promise.all([startPostgres(), launchBrowser()]);
  vi.stubEnv("DATABASE_URL", postgres.url); // from here on a start makes a database there
});

afterAll(async () => {
  await browser.close();
  await postgres.stop();
});

/** Two server processes on one database and one workspace, and a browser that signed in through the first. */
async function twoServers(env: Readonly<Record<string, string>> = {}) {
  const dataFolder = mkdtempSync(join(tmpdir(), "holdpoint-story-"));
  const own = await startPostgres();
  const database = { DATABASE_URL: own.url };
  const [first, second] = await Promise.all([
    startServer({ dataFolder, env: { ...database, ...env } }),
    startServer({ dataFolder, env: database }),
  ]);
  const context = await browser.newContext({ locale: "en" });
  onTestFinished(async () => {
    await context.close();
    await Promise.all([first.stop(), second.stop()]);
    await own.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  });
  const page = await context.newPage();
  await page.goto(first.link);
  await page.getByTestId("inbox-empty").or(page.getByTestId("inbox-row").first()).waitFor();
  await page.close();
  const text = (path: string): string | undefined => {
    const file = join(dataFolder, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
  return {
    first,
    second,
    open: (server: ServerProcess, path: string) => openPage(context, server, path),
    file: (path: string) => text(join("workspace", path)),
    starts: () => (text("effects.log") ?? "").split("\n").length - 1,
    database: () => existsSync(join(dataFolder, "holdpoint.db")),
  };
}

async function openPage(
  context: BrowserContext,
  server: ServerProcess,
  path: string,
): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${server.url}${path}`);
  return page;
}

test("a call that was held on one server is decided through the other, and the page of the first hears it", async () => {
  const { first, second, open, file, starts, database } = await twoServers();
  expect(first.log()).toMatch(/Data is kept in postgres:\/\/127\.0\.0\.1:\d+\/\S+, and /);
  const chat = await open(first, "/chat");
  await say(chat, 'Save "shared" to notes/shared.txt');
  await cards(chat).waitFor();
  const inbox = await open(second, "/");
  await inbox.getByTestId("inbox-row").click();
  await inbox.getByTestId("approve").click();
  await expect.poll(() => file("notes/shared.txt"), { timeout: 10_000 }).toBe("shared");
  await chat.getByTestId("outcome").or(chat.getByTestId("tool-result")).first().waitFor();
  await expect
    .poll(() =>
      cards(chat)
        .filter({ has: chat.getByTestId("approve") })
        .count(),
    )
    .toBe(0);
  expect(starts()).toBe(1);
  expect(database()).toBe(false);
});

test("a server that is killed with a run in its hands is survived: the other continues the run, once", async () => {
  const { first, second, open, file, starts } = await twoServers({
    HOLDPOINT_FAILPOINT: "run.after_claim@2",
  });
  process.kill(second.pid, "SIGSTOP"); // so that it is the first that takes the run
  const chat = await open(first, "/chat");
  await say(chat, 'Save "kept" to notes/kept.txt');
  await chat.getByTestId("approve").click();
  await expect.poll(() => first.isRunning(), { timeout: 10_000 }).toBe(false);
  expect(starts()).toBe(0);
  process.kill(second.pid, "SIGCONT");
  await expect.poll(() => file("notes/kept.txt"), { timeout: 30_000 }).toBe("kept");
  expect(starts()).toBe(1);
});
