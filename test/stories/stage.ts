import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { launchBrowser } from "../harness/chromium.ts";
import { type ServerProcess, startServer } from "../harness/server-process.ts";

/** The languages a story is played in. */
export type Language = "en" | "zh-CN";

/** One server process over its own data folder, one browser that is signed in, and what the tools really did. */
export type Stage = {
  readonly dataFolder: string;
  readonly server: () => ServerProcess;
  readonly browser: Browser;
  readonly context: BrowserContext;
  /** Kills the server as a power cut would and starts it again on the same port. */
  readonly restart: (env?: Readonly<Record<string, string>>) => Promise<void>;
  /** Starts the server again on the same port after it has died by itself. */
  readonly startAgain: (env?: Readonly<Record<string, string>>) => Promise<void>;
  readonly openChat: () => Promise<Page>;
  readonly openInbox: () => Promise<Page>;
  /** Closes all pages: each holds two streams, and a browser allows six connections to one server. */
  readonly closePages: () => Promise<void>;
  /** The text of a file in the agent's workspace, or `undefined` when there is none. */
  readonly file: (path: string) => string | undefined;
  /** The names of the tools that were started, in order, as the tools themselves recorded it. */
  readonly starts: () => readonly string[];
  readonly close: () => Promise<void>;
};

const artifacts = fileURLToPath(new URL("../artifacts/", import.meta.url));

/** Sets a stage: starts the quickstart server and signs a browser in through the one-time link. */
export async function openStage(
  options: {
    readonly language?: Language;
    readonly env?: Readonly<Record<string, string>>;
    readonly width?: number;
    /** Another config than the quickstart's, from the root of the repository. */
    readonly config?: string;
    /** A seeded fault of test/faults; a page then waits less long for what will not come. */
    readonly fault?: string;
  } = {},
): Promise<Stage> {
  const dataFolder = mkdtempSync(join(tmpdir(), "holdpoint-story-"));
  const fixed = {
    ...(options.fault === undefined ? {} : { fault: options.fault }),
    ...(options.config === undefined ? {} : { config: options.config }),
  };
  let server = await startServer({
    dataFolder,
    ...fixed,
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  const port = Number(new URL(server.url).port);
  const browser = await launchBrowser();
  const context = await browser.newContext({
    locale: options.language ?? "en",
    viewport: { width: options.width ?? 1100, height: 900 },
  });
  if (options.fault !== undefined) context.setDefaultTimeout(6_000);
  const first = await context.newPage();
  await first.goto(server.link);
  await first.getByTestId("inbox-empty").waitFor();
  await first.close();
  const startAgain = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
    server = await startServer({ dataFolder, port, env, ...fixed });
    expect(server.url).toBe(`http://localhost:${port}`);
  };
  const openPage = async (path: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${server.url}${path}`);
    return page;
  };
  return {
    dataFolder,
    server: () => server,
    browser,
    context,
    restart: async (env) => {
      await server.kill9();
      await startAgain(env);
    },
    startAgain,
    openChat: () => openPage("/chat"),
    openInbox: () => openPage("/"),
    closePages: async () => {
      await Promise.all(context.pages().map((page) => page.close()));
    },
    file: (path) => {
      const file = join(dataFolder, "workspace", path);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    },
    starts: () => {
      const log = join(dataFolder, "effects.log");
      if (!existsSync(log)) return [];
      return readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .map((line) => String((JSON.parse(line) as { tool: unknown }).tool)); // one JSON object for each line
    },
    close: async () => {
      await browser.close();
      await server.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Sends a message in the chat, as a person types it. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByTestId("chat-input").fill(text);
  await page.getByTestId("chat-send").click();
}

/** The cards on a page. */
export function cards(page: Page): Locator {
  return page.getByTestId("review-card");
}

/** Waits until the agent has said something that matches. */
export async function hears(page: Page, text: RegExp): Promise<void> {
  await page.getByTestId("message-ai").filter({ hasText: text }).last().waitFor();
}

/** Saves a picture of the page for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  const path = join(artifacts, `${name}.png`);
  mkdirSync(dirname(path), { recursive: true });
  await page.screenshot({ path, fullPage: true });
}
