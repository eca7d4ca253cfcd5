import { flushCompileCache } from "node:module";
import process from "node:process";
import { createInterface } from "node:readline";
import { printLine } from "../../packages/engine/src/testing/print-line.ts";
import type { Orders, Said } from "./journal.ts";

/** Says that the worker is ready, and does what it is told, one line of orders after the other. */
export async function serveOrders(work: (orders: Orders) => Promise<void>): Promise<void> {
  flushCompileCache(); // it does not live to its end
  print({ type: "ready" });
  for await (const line of createInterface({ input: process.stdin })) {
    await work(JSON.parse(line) as Orders); // written by the harness
    print({ type: "idle" });
  }
}

/** One synchronous write for each line: what was printed before the kill has left the process. */
export function print<What>(message: Said<What>): void {
  printLine(JSON.stringify(message));
}
