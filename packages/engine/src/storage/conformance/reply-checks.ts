import assert from "node:assert/strict";
import { newId } from "../../ids.ts";
import type { StoredReply } from "../storage.ts";
import { check, type StorageCheck } from "./check.ts";
import { hardJson, hardText, late, past, soon } from "./samples.ts";

/** What is promised of kept replies. */
export const replyChecks: readonly StorageCheck[] = [
  check(
    "a reply comes back under its caller's key, once kept, until those of its time are dropped",
    async (storage) => {
      const caller = `${newId("caller")} ${hardText}`;
      const replyOf = (key: string, at: string): StoredReply => ({
        caller,
        key,
        requestHash: `hash of ${key}`,
        reply: hardJson,
        at,
      });
      const rows = [replyOf(hardText, soon), replyOf("other", late)];
      await storage.write((writing) => writing.insertReplies(rows));
      const find = async (who: string) => {
        const keys = rows.map(({ key }) => ({ caller: who, key }));
        const found = await storage.read((reading) => reading.findReplies(keys));
        return new Map(found.map((reply) => [reply.key, reply]));
      };
      assert.deepEqual(await find(caller), new Map(rows.map((row) => [row.key, row])));
      assert.deepEqual(await find("somebody else"), new Map());
      await assert.rejects(storage.write((writing) => writing.insertReplies(rows)));
      await storage.write((writing) => writing.dropReplies(past));
      assert.equal((await find(caller)).size, 2);
      await storage.write((writing) => writing.dropReplies(late));
      assert.deepEqual([...(await find(caller)).keys()], ["other"]);
    },
  ),
];
