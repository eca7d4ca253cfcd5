import {
  appendFileSync,
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Engine, openEngine } from "../engine.ts";
import type { Storage } from "../storage/storage.ts";
import { openSqlite } from "../storage/sqlite/sqlite.ts";
import { systemClock } from "../clock.ts";
import { audit, openSealedAudit, readForgery, type SealedAudit } from "../testing/sealed-audit.ts";
import { openTestEngine, temporaryFolder } from "../testing/temporary-engine.ts";
import { readSeal } from "./seal.ts";
import { startSealer } from "./sealer.ts";
import { createKeyFile } from "./signing-key.ts";
import { verifyAudit } from "./verify-audit.ts";

async function open(): Promise<SealedAudit & { readonly again: () => Promise<Engine> }> {
  const sealed = await openSealedAudit(temporaryFolder());
  const { database, keyFile, sealsFile } = sealed;
  await sealed.engine.close();
  const again = (): Promise<Engine> => openTestEngine(database, { audit: { keyFile, sealsFile } });
  return { ...sealed, engine: await again(), again };
}

function verify({ database, sealsFile, keyFile }: SealedAudit) {
  return verifyAudit({ audit: { database }, sealsFile, publicKeys: [`${keyFile}.pub`] });
}

test("a seal covers what was audited since the one before, and nothing is sealed twice", async () => {
  const sealed = await open();
  expect(await sealed.engine.sealAudit()).toBe(0);
  await audit(sealed.engine, 2);
  expect(await sealed.engine.sealAudit()).toBe(1);
  expect(await sealed.engine.sealAudit()).toBe(0);
  await audit(sealed.engine, 1);
  expect(await sealed.engine.sealAudit()).toBe(1);
  const { seals, file } = readForgery(sealed);
  expect(file).toEqual(seals.map(({ line }) => line));
  expect(seals.map(({ line }) => readSeal(line))).toMatchObject([
    { number: 1, after: 0, to: 6, count: 6, gaps: [] },
    { number: 2, after: 6, to: 9, count: 3, gaps: [] },
  ]);
  expect(verify(sealed)).toMatchObject({ seals: 2, unsealed: 0 });
});

test("two sealers at once make one chain: one wins, the other goes on", async () => {
  const sealed = await open();
  const other = await sealed.again();
  for (let round = 0; round < 10; round += 1) {
    await audit(sealed.engine, 1);
    await Promise.all([sealed.engine.sealAudit(), other.sealAudit()]);
  }
  const report = verify(sealed);
  expect(report).not.toHaveProperty("finding");
  expect(report).toMatchObject({ events: 30, unsealed: 0 });
});

test("a seals file that a crash left behind, or left unfinished, is completed at the next start", async () => {
  const sealed = await open();
  for (let round = 0; round < 3; round += 1) {
    await audit(sealed.engine, 1);
    await sealed.engine.sealAudit();
  }
  await sealed.engine.close();
  const whole = readFileSync(sealed.sealsFile, "utf8");
  const [first = ""] = whole.split("\n");
  for (const length of [
    0,
    10,
    first.length + 1,
    first.length + 50,
    statSync(sealed.sealsFile).size - 1,
  ]) {
    writeFileSync(sealed.sealsFile, whole);
    truncateSync(sealed.sealsFile, length);
    if (length !== whole.length - 1) expect(verify(sealed).finding?.problem).toBe("seal");
    await (await sealed.again()).close();
    expect(verify(sealed), `cut at ${length}`).not.toHaveProperty("finding");
  }
});

test("a database that was set back behind its seals file is not sealed any more", async () => {
  const sealed = await open();
  await audit(sealed.engine, 1);
  await sealed.engine.sealAudit();
  await sealed.engine.close();
  const backup = join(temporaryFolder(), "backup.db");
  copyFileSync(sealed.database, backup);
  const engine = await sealed.again();
  await audit(engine, 1);
  await engine.sealAudit();
  await engine.close();
  copyFileSync(backup, sealed.database);
  await expect(sealed.again()).rejects.toThrow("which this database does not have");
  expect(verify(sealed).finding?.message).toMatch(/^Seal 2 is in/);
});

test("a line that is no seal stops the start too", async () => {
  const sealed = await open();
  appendFileSync(sealed.sealsFile, "hello\n");
  await expect(sealed.again()).rejects.toThrow("a line that is no seal");
});

test("sealing waits for transactions that may still commit an earlier event", async () => {
  const sealed = await open();
  await audit(sealed.engine, 1);
  const storage = openSqlite(sealed.database, systemClock);
  onTestFinished(() => storage.close());
  // As in Postgres: what is visible is not all there will be.
  const settled = new Set<number>();
  const late: Storage = {
    ...storage,
    read: (work) =>
      storage.read((reading) =>
        work({ ...reading, auditSettled: async ({ position }) => settled.has(position) }),
      ),
  };
  const sealer = await startSealer(late, sealed);
  expect(await sealer.seal()).toBe(0);
  await audit(sealed.engine, 1);
  settled.add(3);
  expect(await sealer.seal()).toBe(1);
  expect(readSeal(readForgery(sealed).seals[0]?.line ?? "")).toMatchObject({ after: 0, to: 3 });
  settled.add(6);
  expect(await sealer.seal()).toBe(1);
  expect(verify(sealed)).toMatchObject({ seals: 2, unsealed: 0 });
  await sealer.stop();
});

test("on a timer it seals by itself until it is closed", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const sealed = await open();
  await sealed.engine.close();
  const { database, keyFile, sealsFile } = sealed;
  const everyMs = 60_000;
  const engine = await openEngine({
    database: `file:${database}`,
    audit: { keyFile, sealsFile, everyMs },
  });
  await audit(engine, 1);
  vi.advanceTimersByTime(everyMs - 1);
  expect(readForgery(sealed).seals).toHaveLength(0);
  vi.advanceTimersByTime(1);
  await engine.close(); // waits for the seal under way
  expect(readForgery(sealed).seals).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});

test("no key, no engine; without the option, no seals", async () => {
  const folder = temporaryFolder();
  const database = `file:${join(folder, "holdpoint.db")}`;
  const keyFile = join(folder, "none.pem");
  const sealsFile = join(folder, "seals.jsonl");
  await expect(openEngine({ database, audit: { keyFile, sealsFile } })).rejects.toMatchObject({
    code: "config_invalid",
  });
  const engine = await openEngine({ database });
  onTestFinished(() => engine.close());
  await expect(engine.sealAudit()).rejects.toMatchObject({ code: "config_invalid" });
});

test("a key is readable for its owner alone, and never written over another", () => {
  const keyFile = join(temporaryFolder(), "audit.pem");
  const { publicFile } = createKeyFile(keyFile);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(readFileSync(publicFile, "utf8")).toContain("BEGIN PUBLIC KEY");
  const before = readFileSync(keyFile, "utf8");
  expect(() => createKeyFile(keyFile)).toThrow("could not be written");
  const other = join(temporaryFolder(), "other.pem");
  writeFileSync(`${other}.pub`, "another's");
  expect(() => createKeyFile(other)).toThrow("exists already");
  expect(existsSync(other)).toBe(false);
  expect(readFileSync(keyFile, "utf8")).toBe(before);
});
