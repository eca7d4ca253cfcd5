import assert from "node:assert/strict";
import { newId } from "../../ids.ts";
import type { ApiKey, Storage } from "../storage.ts";
import { check, rivals, type StorageCheck } from "./check.ts";
import { hardText, late, past } from "./samples.ts";

/** What is promised of reviewers and hashed secrets. */
export const accessChecks: readonly StorageCheck[] = [
  check(
    "a key is found for its purpose with its reviewer, until it has expired or was used",
    async (storage) => {
      const key = await insert(storage, { expiresAt: late });
      const expired = await insert(storage, { expiresAt: past });
      const find = (hash: string, purpose: ApiKey["purpose"] = "link") =>
        storage.read((reading) => reading.findApiKey(hash, purpose));
      assert.deepEqual(await find(key.hash), key);
      assert.deepEqual(
        [await find(key.hash, "session"), await find(expired.hash), await find("none")],
        [undefined, undefined, undefined],
      );
      const use = (hash: string) => storage.write((writing) => writing.useApiKey(hash));
      assert.deepEqual(
        [await use(key.hash), await use(key.hash), await use(expired.hash), await use("none")],
        [true, false, false, false],
      );
      assert.equal(await find(key.hash), undefined);
    },
  ),

  check("a key that is used at once is used by exactly one", async (storage) => {
    const { hash } = await insert(storage, { expiresAt: late });
    const used = await Promise.all(
      rivals.map(() => storage.write((writing) => writing.useApiKey(hash))),
    );
    assert.equal(used.filter(Boolean).length, 1);
  }),

  check("a reviewer that is saved again has the new name, and keeps the keys", async (storage) => {
    const { hash, reviewer } = await insert(storage, { expiresAt: late });
    await storage.write((writing) => writing.saveReviewer({ ...reviewer, name: "New" }));
    const key = await storage.read((reading) => reading.findApiKey(hash, "link"));
    assert.deepEqual(key?.reviewer, { id: reviewer.id, name: "New" });
  }),
];

async function insert(storage: Storage, { expiresAt }: Pick<ApiKey, "expiresAt">): Promise<ApiKey> {
  const reviewer = { id: newId("reviewer"), name: hardText };
  const key = { hash: newId("hash"), purpose: "link", reviewer, expiresAt } as const;
  await storage.write(async (writing) => {
    await writing.saveReviewer(reviewer);
    await writing.insertApiKey(key);
  });
  return key;
}
