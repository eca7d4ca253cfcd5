import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";

/** How many of its lines reach us of a process that prints them and kills itself while we are busy elsewhere. */
async function linesOf(print: string): Promise<number> {
  const script = `import { printLine } from ${JSON.stringify(new URL("print-line.ts", import.meta.url).href)};
    const text = "x".repeat(400); // more in all than waits between two processes
    for (let line = 0; line < 3000; line += 1) ${print};
    process.kill(process.pid, "SIGKILL");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  await sleep(700); // what it prints meanwhile waits for us
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  await ended;
  return text.split("\n").length - 1;
}

test("a line that was printed before a kill has left the process, also when nobody was reading yet", async () => {
  expect(await linesOf("printLine(text)")).toBe(3000);
});

test("that is not so of process.stdout (found by a soak: what a killed worker had done was not known)", async () => {
  expect(await linesOf("process.stdout.write(text + '\\n')")).toBeLessThan(3000);
});
