import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../test/harness/postgres.ts";
import { openPostgres } from "./postgres.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

/** Two changes to one thread, of which the first waits in its middle for the second to be over. */
test.each(["sent again", "referred to"])(
  "a part that is removed while a save that %s it is under way is there afterwards, or the save knows",
  async (how) => {
    const storage = await openPostgres(postgres.url);
    onTestFinished(storage.close);
    const threadId = `t ${how}`;
    const key = { threadId, namespace: "", id: "1" };
    const part = { hash: "h", type: "json", value: Uint8Array.of(1) };
    await storage.write((writing) => writing.saveCheckpoints([{ key, parts: [part] }]));
    const { promise: pruned, resolve: go } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const missing: (readonly string[])[] = [];
    const saved = storage.write(async (writing) => {
      const save = how === "sent again" ? { key, parts: [part] } : { key, refers: [part.hash] };
      const lost = await writing.saveCheckpoints([save]);
      missing.push(lost.map(({ hash }) => hash));
      begin();
      await pruned;
      const checkpoint = { ...key, body: "{}", metadata: "{}" };
      await writing.saveCheckpoints([{ key, checkpoint }]);
    });
    await begun;
    await storage.write(async (writing) => {
      expect(await writing.checkpointsAfter(threadId, undefined, 10)).toEqual([]);
      expect(await writing.removePartsBut(threadId, [])).toBe(1);
    });
    go();
    await saved;
    const parts = await storage.look((reading) => reading.findParts(threadId, ["h"]));
    if (how === "sent again") expect(parts.size).toBe(1);
    else expect(missing).toEqual([[], ["h"]]);
  },
);
