import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ActionId, Digest } from "@holdpoint/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { createKeyFile } from "../audit/signing-key.ts";
import { verifyAudit } from "../audit/verify-audit.ts";
import { type Engine, openEngine } from "../engine.ts";
import { aDraft, anna, approvedAction, decideEach } from "../testing/review-draft.ts";
import { temporaryFile } from "../testing/temporary-engine.ts";
import { writeBackup } from "../storage/sqlite/backup-file.ts";
import { startsFileOf } from "./refuse-copies.ts";
import { adoptDatabase, restoreBackup } from "./restore.ts";

const receipt = { status: "succeeded", message: { content: "sent" } } as const;

/** Whether the tool may run; if so, it has. */
async function runs(engine: Engine, call: { id: ActionId; digest: Digest }): Promise<boolean> {
  const started = await engine.startPermit(call.id, call.digest);
  if (started.type === "refused") return false;
  await engine.closePermit(call.id, started.permit.fence, receipt);
  return true;
}

async function opened(path: string, startsFile?: string): Promise<Engine> {
  const options = startsFile === undefined ? {} : { startsFile };
  const engine = await openEngine({ database: `file:${path}`, ...options });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= engine.close());
  onTestFinished(close);
  return { ...engine, close };
}

/** A call that was approved before the backup was made and has run after it. */
async function usedAfterBackup() {
  const path = temporaryFile();
  const backup = join(dirname(path), "backup.db");
  const engine = await opened(path);
  const call = await approvedAction(engine);
  writeBackup(path, backup);
  expect(await runs(engine, call)).toBe(true);
  await engine.close();
  return { path, backup, call };
}

describe("F19: an old backup never makes a used permit usable again", () => {
  test("restored: the call does not run again, and whether it ran is asked about", async () => {
    const { path, backup, call } = await usedAfterBackup();
    await restoreBackup({ backup, path });
    const engine = await opened(path);
    expect(await engine.awaitPermit(call.id)).toMatchObject({
      fence: 0,
      state: { status: "unknown", because: "restored" },
    });
    expect(await runs(engine, call)).toBe(false);
  });

  test("started at once, without a look at the permit before: refused, and in doubt from then on", async () => {
    const { path, backup, call } = await usedAfterBackup();
    await restoreBackup({ backup, path });
    const engine = await opened(path);
    expect(await engine.startPermit(call.id, call.digest)).toMatchObject({
      type: "refused",
      refusal: { code: "permit_refused", details: { actionId: call.id, status: "unknown" } },
    });
    expect(await engine.startPermit(call.id, call.digest)).toMatchObject({ type: "refused" });
    expect(await engine.awaitPermit(call.id)).toMatchObject({ state: { status: "unknown" } });
  });

  test("the check catches a restore that begins no epoch: the tool starts twice", async () => {
    const { path, backup, call } = await usedAfterBackup();
    copyFileSync(backup, path);
    rmSync(String(startsFileOf(`file:${path}`)));
    const raw = new DatabaseSync(path);
    raw.exec("UPDATE instance SET copied_at = NULL"); // all that would be left of the mechanism
    raw.close();
    expect(await runs(await opened(path), call)).toBe(true);
  });

  test("a new approval in the new epoch runs, once", async () => {
    const { path, backup } = await usedAfterBackup();
    await restoreBackup({ backup, path });
    const engine = await opened(path);
    const call = await approvedAction(engine);
    expect(await runs(engine, call)).toBe(true);
    expect(await runs(engine, call)).toBe(false);
  });

  test("an older backup restored over a restored one is in doubt as well", async () => {
    const { path, backup, call } = await usedAfterBackup();
    await restoreBackup({ backup, path });
    await restoreBackup({ backup, path });
    expect(await runs(await opened(path), call)).toBe(false);
  });
});

test("what was running in a backup is unknown, what has ended keeps its receipt, what is open stays open", async () => {
  const path = temporaryFile();
  const backup = join(dirname(path), "backup.db");
  const engine = await opened(path);
  const [running, suspended, ended] = [
    await approvedAction(engine),
    await approvedAction(engine),
    await approvedAction(engine),
  ];
  await engine.startPermit(running.id, running.digest);
  await engine.startPermit(suspended.id, suspended.digest);
  await engine.suspendPermit(suspended.id, 1);
  await runs(engine, ended);
  const open = await engine.openReview(aDraft());
  const link = await engine.access.createLink(anna);
  writeBackup(path, backup);
  await engine.close();
  await restoreBackup({ backup, path });
  const again = await opened(path);
  for (const { id } of [running, suspended]) {
    expect(await again.awaitPermit(id)).toMatchObject({
      fence: 1,
      state: { status: "unknown", because: "restored" },
    });
  }
  expect(await again.awaitPermit(ended.id)).toMatchObject({ state: { status: "succeeded" } });
  const [action] = open.actions;
  const decisions = decideEach(open, { type: "approve" });
  const decided = await again.decide({ reviewId: open.id, decisions, reviewer: anna });
  expect(decided).toMatchObject({ type: "recorded" });
  if (action === undefined) throw new Error("a draft has an action");
  expect(await runs(again, action)).toBe(true);
  expect(await again.access.enter(link)).toBeUndefined(); // it may have been used since
});

describe("a database that was brought back by hand is refused, with the command to run", () => {
  const refused = (why: string) =>
    expect.objectContaining({
      code: "database_refused",
      message: expect.stringMatching(
        new RegExp(`${why}.*; put the newest one back, or run "holdpoint restore --adopt `),
      ) as unknown,
    }) as unknown;

  test("a backup in its place", async () => {
    const { path, backup } = await usedAfterBackup();
    rmSync(String(startsFileOf(`file:${path}`)));
    copyFileSync(backup, path);
    await expect(opened(path)).rejects.toEqual(refused("is a copy of another database"));
  });

  test("a file that was copied by other means: a tool ran that it does not know of", async () => {
    const path = temporaryFile();
    const engine = await opened(path);
    const call = await approvedAction(engine);
    await engine.close();
    copyFileSync(path, `${path}.copy`);
    const later = await opened(path);
    expect(await runs(later, call)).toBe(true);
    await later.close();
    copyFileSync(`${path}.copy`, path);
    await expect(opened(path)).rejects.toEqual(refused("is older than what is noted in"));
    await adoptDatabase({ database: `file:${path}` });
    expect(await runs(await opened(path), call)).toBe(false);
  });

  test("the file that was set aside by a restore", async () => {
    const { path, backup } = await usedAfterBackup();
    const [aside] = await restoreBackup({ backup, path });
    copyFileSync(String(aside?.now), path);
    await expect(opened(path)).rejects.toEqual(refused("is not the one whose starts are noted in"));
  });

  test("a newer file, or one that begins anew, is not", async () => {
    const { path } = await usedAfterBackup();
    await (await opened(path)).close();
    for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
    await (await opened(path)).close();
    await opened(path);
  });

  test("starts that are noted elsewhere are found there, and a torn line counts for nothing", async () => {
    const path = temporaryFile();
    const startsFile = join(dirname(path), "elsewhere.jsonl");
    const engine = await opened(path, startsFile);
    await engine.close();
    copyFileSync(path, `${path}.copy`);
    const later = await opened(path, startsFile);
    for (let count = 0; count < 3; count += 1) await runs(later, await approvedAction(later));
    await later.close();
    expect(existsSync(String(startsFileOf(`file:${path}`)))).toBe(false);
    writeFileSync(startsFile, readFileSync(startsFile, "utf8").slice(0, -9));
    await (await opened(path, startsFile)).close();
    copyFileSync(`${path}.copy`, path);
    await expect(opened(path, startsFile)).rejects.toEqual(refused("is older"));
  });
});

describe("T41: a backup is not brought back", () => {
  test("when its audit was changed, and what is there stays", async () => {
    const { path, backup } = await usedAfterBackup();
    const raw = new DatabaseSync(backup);
    raw.exec(`DROP TRIGGER audit_events_no_update;
      UPDATE audit_events SET body = replace(body, 'approve', 'reject')`);
    raw.close();
    const before = readdirSync(dirname(path));
    await expect(restoreBackup({ backup, path })).rejects.toThrow("its audit does not hold: Event");
    expect(readdirSync(dirname(path))).toEqual(before);
    await opened(path);
  });

  test("when it is damaged, or not there", async () => {
    const { path, backup } = await usedAfterBackup();
    const bytes = readFileSync(backup);
    bytes.fill(0x5a, bytes.length - 4096);
    writeFileSync(backup, bytes);
    await expect(restoreBackup({ backup, path })).rejects.toThrow(/is damaged|malformed/);
    rmSync(backup);
    await expect(restoreBackup({ backup, path })).rejects.toThrow("There is no backup at");
  });

  test("when another key sealed it than the one that is named", async () => {
    const path = temporaryFile();
    const [keyFile, other] = [join(dirname(path), "a.pem"), join(dirname(path), "b.pem")];
    createKeyFile(keyFile);
    createKeyFile(other);
    const sealsFile = join(dirname(path), "seals.jsonl");
    const audit = { keyFile, sealsFile };
    const engine = await openEngine({ database: `file:${path}`, audit });
    await approvedAction(engine);
    await engine.sealAudit();
    const backup = join(dirname(path), "backup.db");
    writeBackup(path, backup);
    await approvedAction(engine);
    await engine.sealAudit();
    await engine.close();
    const restore = (publicKey: string) =>
      restoreBackup({ backup, path, sealsFile, publicKeys: [`${publicKey}.pub`] });
    await expect(restore(other)).rejects.toThrow("is signed with another key");
    const aside = await restore(keyFile);
    expect(aside.map(({ file }) => file)).toEqual([path, sealsFile]);
    const again = await openEngine({ database: `file:${path}`, audit });
    await again.sealAudit();
    await again.close();
    const report = verifyAudit({ audit: { database: path }, sealsFile });
    expect(report).toMatchObject({ seals: 2, unsealed: 0 });
    expect(report).not.toHaveProperty("finding");
  });
});

test("a backup is made while others write, and holds everything that was acknowledged before", async () => {
  const path = temporaryFile();
  const backup = join(dirname(path), "backup.db");
  const engine = await opened(path);
  const before = await approvedAction(engine);
  const writing = Promise.all(Array.from({ length: 20 }, () => approvedAction(engine)));
  writeBackup(path, backup);
  await writing;
  const raw = new DatabaseSync(backup, { readOnly: true });
  onTestFinished(() => raw.close());
  expect(raw.prepare("SELECT status FROM permits WHERE action_id = ?").get(before.id)).toEqual({
    status: "unused",
  });
  expect(raw.prepare("SELECT copied_at FROM instance").get()?.["copied_at"]).toMatch(/^20.*Z$/);
  expect(() => writeBackup(path, backup)).toThrow("exists already");
});

test("a database that is in use is not replaced", async () => {
  const { path, backup } = await usedAfterBackup();
  const engine = await opened(path);
  await expect(restoreBackup({ backup, path })).rejects.toThrow("is in use; stop the server");
  await engine.close();
  await restoreBackup({ backup, path });
});
