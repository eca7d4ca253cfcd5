import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { digestCall, type Review, type ReviewDraft } from "@holdpoint/core";
import { type Engine, openEngine } from "@holdpoint/engine";
import { newId } from "@holdpoint/engine/ids";
import { startPostgres } from "../test/harness/postgres.ts";

/**
 * How many decisions a second are durably recorded, each with its audit event, its permit and the run that
 * continues its thread, for 64 clients that each send the next one when the last was acknowledged. This is
 * not a resume: no graph runs here.
 */
const clients = 64;
const count = Number(process.argv[2] ?? 30_000);
const anna = { id: "anna", name: "Anna" };

const ids = Array.from({ length: count + 1 }, () => ({
  review: newId("rev"),
  action: newId("act"),
  thread: newId("thread"),
}));

function draft(number: number): ReviewDraft {
  const { review, action, thread } = idsOf(number);
  const call = {
    name: "send_email",
    args: {
      to: `person-${number}@example.com`,
      subject: "Invoice",
      body: "Please pay. ".repeat(15),
    },
  };
  return {
    id: review,
    threadId: thread,
    agent: "mailer",
    turnId: `turn-${number}`,
    interruptId: `interrupt-${number}`,
    raised: { taskId: `task_${number}`, round: 0, votes: 0 },
    cause: "policy",
    actions: [
      {
        id: action,
        toolCallId: `call-${number}`,
        call,
        digest: digestCall({ ...call, argsSchema: undefined }),
        allowedDecisions: ["approve", "edit", "reject", "respond"],
        rule: "interruptOn.send_email",
        reason: "send_email always asks a person first.",
        reasonCode: "always",
        state: { status: "open" },
      },
    ],
  };
}

function idsOf(number: number) {
  const known = ids[number];
  if (known === undefined) throw new Error(`There is no review ${number}.`);
  return known;
}

/** Each client takes the next number until none is left. */
async function inParallel(work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) await work((next += 1));
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function fill(engine: Engine): Promise<void> {
  await inParallel(async (number) => {
    const opened: Promise<Review> = engine.openReview(draft(number));
    await engine.storage.write((writing) =>
      writing.insertThread({
        id: idsOf(number).thread,
        agent: "mailer",
        createdAt: new Date().toISOString(),
        lastSeq: 0,
      }),
    );
    await opened;
  });
}

async function measure(name: string, database: string): Promise<void> {
  const engine = await openEngine({ database });
  const filling = performance.now();
  await fill(engine);
  const filled = (performance.now() - filling) / 1000;
  const times: number[] = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  await inParallel(async (number) => {
    const sent = performance.now();
    const result = await engine.decide({
      reviewId: idsOf(number).review,
      decisions: [{ actionId: idsOf(number).action, decision: { type: "approve" } }],
      reviewer: anna,
    });
    if (result.type === "refused") throw new Error(result.refusal.message);
    times.push(performance.now() - sent);
  });
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1);
  console.log(
    `${name}: ${Math.round(count / seconds).toLocaleString("en")} decisions a second; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${(sorted.at(-1) ?? 0).toFixed(1)}; ${((user + system) / count).toFixed(0)} µs of this process's CPU each (opened ${Math.round(count / filled).toLocaleString("en")} a second)`,
  );
  await engine.close();
}

const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
await measure("SQLite FULL", `file:${join(folder, "bench.db")}`);
rmSync(folder, { recursive: true, force: true });
if (process.argv[3] !== "sqlite") {
  const postgres = await startPostgres();
  await measure("Postgres", postgres.url);
  await postgres.stop();
}
