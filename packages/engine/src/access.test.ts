import { describe, expect, test } from "vitest";
import { allRows, openRaw } from "./testing/raw-database.ts";
import { anna, ben } from "./testing/review-draft.ts";
import { createTestClock } from "./testing/test-clock.ts";
import { openTestEngine, temporaryFile } from "./testing/temporary-engine.ts";

const day = 24 * 60 * 60 * 1000;

describe("a one-time link", () => {
  test("lets its reviewer in once, also when it is used many times at once", async () => {
    const path = temporaryFile();
    const { access } = await openTestEngine(path);
    const beside = (await openTestEngine(path)).access;
    const link = await access.createLink(anna);
    const entries = await Promise.all(
      Array.from({ length: 10 }, (_, number) => (number % 2 === 0 ? access : beside).enter(link)),
    );
    const entered = entries.filter((entry) => entry !== undefined);
    expect(entered).toMatchObject([{ reviewer: anna }]);
    expect(await access.reviewerOf(entered[0]?.sessionSecret ?? "")).toEqual(anna);
    expect(await access.enter(link)).toBeUndefined();
  });

  test("holds for a day", async () => {
    const { clock, advance } = createTestClock();
    const { access } = await openTestEngine(undefined, { clock });
    const [early, late] = [await access.createLink(anna), await access.createLink(anna)];
    advance(day - 1);
    expect(await access.enter(early)).toMatchObject({ reviewer: anna });
    advance(1);
    expect(await access.enter(late)).toBeUndefined();
  });

  test("is no session, and a session is no link", async () => {
    const { access } = await openTestEngine();
    const link = await access.createLink(anna);
    expect(await access.reviewerOf(link)).toBeUndefined();
    const entry = await access.enter(link);
    expect(await access.enter(entry?.sessionSecret ?? "")).toBeUndefined();
  });

  test.each(["", "wrong", "undefined", "' OR 1=1 --"])(
    "that was never given lets nobody in: %j",
    async (secret) => {
      const { access } = await openTestEngine();
      await access.createLink(anna);
      expect(await access.enter(secret)).toBeUndefined();
      expect(await access.reviewerOf(secret)).toBeUndefined();
    },
  );
});

describe("a session", () => {
  test("survives a restart, and holds for thirty days", async () => {
    const path = temporaryFile();
    const { clock, advance } = createTestClock();
    const engine = await openTestEngine(path, { clock });
    const session =
      (await engine.access.enter(await engine.access.createLink(anna)))?.sessionSecret ?? "";
    await engine.close();
    const { access } = await openTestEngine(path, { clock });
    advance(30 * day - 1);
    expect(await access.reviewerOf(session)).toEqual(anna);
    advance(1);
    expect(await access.reviewerOf(session)).toBeUndefined();
  });

  test("shows its reviewer under the latest name", async () => {
    const { access } = await openTestEngine();
    const session = (await access.enter(await access.createLink(ben)))?.sessionSecret ?? "";
    await access.createLink({ ...ben, name: "Benjamin" });
    expect(await access.reviewerOf(session)).toEqual({ id: "ben", name: "Benjamin" });
  });
});

test("secrets have 256 bits, are never the same, and only their hashes are stored", async () => {
  const path = temporaryFile();
  const { access } = await openTestEngine(path);
  const links = await Promise.all(Array.from({ length: 20 }, () => access.createLink(anna)));
  const sessions = await Promise.all(
    links.map(async (link) => (await access.enter(link))?.sessionSecret ?? ""),
  );
  const secrets = [...links, ...sessions];
  expect(new Set(secrets).size).toBe(40);
  for (const secret of secrets) expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  const stored = JSON.stringify(allRows(openRaw(path)));
  for (const secret of secrets) expect(stored).not.toContain(secret);
  expect(stored).toContain('"purpose":"session"');
});
