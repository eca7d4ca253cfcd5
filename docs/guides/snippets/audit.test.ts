import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { type Engine, openEngine } from "@holdpoint/engine";
import { afterAll, beforeAll, expect, test } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const bin = fileURLToPath(new URL("../../../packages/server/src/bin.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "holdpoint-guide-"));
const database = join(folder, ".holdpoint/holdpoint.db");
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the commands of a block; returns what the last one printed. */
function run(block: string): { readonly output: string; readonly exitCode: number | null } {
  const commands = readFileSync(join(here, block), "utf8").trim().split("\n");
  const results = commands.map((command) => {
    expect(command).toMatch(/^npx holdpoint /);
    const args = command.split(" ").slice(2);
    return spawnSync(process.execPath, ["--conditions=@holdpoint/source", bin, ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  });
  expect(results.slice(0, -1).map(({ status }) => status)).toEqual(results.slice(1).map(() => 0));
  const last = results.at(-1);
  return { output: `${last?.stdout}${last?.stderr}`, exitCode: last?.status ?? null };
}

/** A review that is opened and decided: three events. */
async function decide(engine: Engine, number: number): Promise<void> {
  const call = { name: "send_email", args: { to: `${number}@example.com` } };
  const digest = `sha256:${number}` as const;
  const action = (place: string) => ({
    id: `act_${number}${place}` as const,
    toolCallId: `call_${number}${place}`,
    call,
    argsSchema: { type: "object" },
    digest,
    allowedDecisions: ["approve", "reject"] as const,
    rule: "interruptOn.send_email",
    reason: "Mail goes out.",
    reasonCode: "always" as const,
    state: { status: "open" } as const,
  });
  const review = await engine.openReview({
    id: `rev_${number}`,
    threadId: `thread_${number}`,
    agent: "mailer",
    turnId: "turn",
    interruptId: "interrupt",
    raised: { taskId: "task", round: 0, votes: 0 },
    cause: "policy",
    actions: [action("a"), action("b")],
  });
  for (const { id } of review.actions) {
    await engine.decide({
      reviewId: review.id,
      decisions: [{ actionId: id, decision: { type: "reject" } }],
      reviewer: { id: "anna", name: "Anna" },
    });
  }
}

const names = (text: string): string => text.replaceAll(/(?<=by |rev_)\w+/g, "5f3c0a9be41d7726");
const shown = (file: string): string => readFileSync(join(here, file), "utf8");

beforeAll(async () => {
  expect(run("audit-keygen.sh").exitCode).toBe(0);
  const audit = { keyFile: join(folder, "audit.pem"), sealsFile: join(folder, "seals.jsonl") };
  const engine = await openEngine({ database: `file:${database}`, audit });
  for (const number of [1, 2]) await decide(engine, number);
  await engine.sealAudit();
  await decide(engine, 3);
  await engine.close();
});

test("the commands of the guide verify an audit, and an export of it", () => {
  const verified = run("audit-verify.sh");
  expect(names(verified.output)).toBe(shown("audit-verified.txt"));
  expect(verified.exitCode).toBe(0);

  cpSync(join(here, "audit-policy.json"), join(folder, "policy.json"));
  const exported = run("audit-export.sh");
  expect(exported.exitCode).toBe(0);
  expect(exported.output).toContain("9 events redacted");
  const lines = readFileSync(join(folder, "audit.jsonl"), "utf8");
  expect(lines).not.toMatch(/anna|send_email/);
  expect(lines).toContain("[redacted]");
});

test("the guide's example of a removed event is what the command says, with exit code 1", () => {
  const raw = new DatabaseSync(database);
  raw.exec("DROP TRIGGER audit_events_no_delete; DELETE FROM audit_events WHERE position = 5");
  raw.close();
  const found = run("audit-verify.sh");
  expect(names(found.output)).toBe(shown("audit-missing.txt"));
  expect(found.exitCode).toBe(1);
});

test("help is in English, and in Chinese where the environment asks for it", () => {
  const help = (language: string): string =>
    execFileSync(process.execPath, ["--conditions=@holdpoint/source", bin, "audit", "--help"], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: language },
    });
  expect(help("C")).toContain("Usage: holdpoint audit keygen");
  expect(help("zh_CN.UTF-8")).toContain("用法：holdpoint audit keygen");
});
