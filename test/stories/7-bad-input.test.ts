import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test, vi } from "vitest";
import { startServer } from "../harness/server-process.ts";
import { cards, openStage, picture, say, type Stage } from "./stage.ts";

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const root = fileURLToPath(new URL("../../", import.meta.url));
const stackTrace = /\n\s+at .+\(.+:\d+:\d+\)|file:\/\/\//;

/** Starts a server with a configuration file of this text, and gives what it printed before it ended. */
async function startWith(
  config: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-config-"));
  const file = join(folder, "holdpoint.config.mjs");
  writeFileSync(file, config);
  const script = `const { main } = await import("@holdpoint/server/command-line"); await main(["start", "--config", ${JSON.stringify(file)}, "--data", ${JSON.stringify(folder)}, "--port", "0"]);`;
  const child = spawn(
    process.execPath,
    ["--conditions=@holdpoint/source", "--input-type=module", "-e", script],
    { cwd: root },
  );
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  rmSync(folder, { recursive: true, force: true });
  return { code, output };
}

test.each([
  ["a key that is not one", 'export default { agents: { a: { titel: "A" } } };', '"agents.a'],
  ["something that is no configuration", "export default 7;", '"default export"'],
  ["a mistake in its syntax", "export default {", "could not be loaded"],
  [
    "an import that does not exist",
    'import "./nowhere.mjs"; export default {};',
    "could not be loaded",
  ],
])("a configuration with %s is named in one sentence", async (_name, config, named) => {
  const { code, output } = await startWith(config);
  expect(code).toBe(1);
  expect(output).toContain("holdpoint.config.mjs");
  expect(output).toContain(named);
  expect(output).not.toMatch(stackTrace);
  expect(output.trim().split("\n")).toHaveLength(1);
});

test("a port that is taken is said, and the next free one is used", async () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "holdpoint-port-"));
  const first = await startServer({ dataFolder: join(dataFolder, "a") });
  const port = Number(new URL(first.url).port);
  const second = await startServer({ dataFolder: join(dataFolder, "b"), port });
  expect(second.log()).toContain(
    `Port ${port} is taken; using ${new URL(second.url).port} instead.`,
  );
  await Promise.all([first.stop(), second.stop()]);
  rmSync(dataFolder, { recursive: true, force: true });
});

test("an unreachable model is said in one sentence on the page, and the next message is taken", async () => {
  stage = await openStage({
    env: {
      MODEL: "openai:gpt-5",
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
    },
  });
  const page = await stage.openChat();
  await say(page, "What's in notes/today.md?");
  await page.getByTestId("chat-error").waitFor({ timeout: 60_000 });
  const sentence = (await page.getByTestId("chat-error").textContent()) ?? "";
  expect(sentence).toMatch(/could not/i);
  expect(sentence).not.toMatch(stackTrace);
  await picture(page, "story-7-model");
  expect(await page.getByTestId("chat-input").isEnabled()).toBe(true);
}, 120_000);

test("invisible and bidirectional characters in an argument are shown and flagged, never hidden", async () => {
  stage = await openStage();
  const page = await stage.openChat();
  await say(page, 'Save "pay \u202E000,1 to\u200B Bob" to notes/trick.txt');
  await cards(page).waitFor();
  await page.getByTestId("hidden-warning").first().waitFor();
  const text = (await cards(page).textContent()) ?? "";
  expect(text).toContain("\\u{202E}");
  expect(text).toContain("\\u{200B}");
  expect(text).not.toMatch(/[\u202E\u200B]/);
  await picture(page, "story-7-hidden-characters");
  await page.getByTestId("approve").click();
  await vi.waitFor(
    () => expect(stage?.file("notes/trick.txt")).toBe("pay \u202E000,1 to\u200B Bob"),
    10_000,
  );
});
