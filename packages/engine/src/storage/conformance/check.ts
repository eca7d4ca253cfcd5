import type { Storage } from "../storage.ts";

/**
 * Opens the storage that is checked. The checks use ids of their own, so all of them may run on one
 * database, one after the other; a new one for each is as good.
 */
export type OpenStorage = () => Promise<Storage>;

/** One promise of the storage interface; `run` rejects when it is not kept. */
export type StorageCheck = {
  readonly name: string;
  readonly run: (open: OpenStorage) => Promise<void>;
};

/** Makes a check out of what it does with an open storage, which is closed afterwards. */
export function check(name: string, body: (storage: Storage) => Promise<void>): StorageCheck {
  return {
    name,
    run: async (open) => {
      const storage = await open();
      try {
        await body(storage);
      } finally {
        await storage.close();
      }
    },
  };
}

/** Contradictory changes that are made at once; as many as a busy server has on one row. */
export const rivals: readonly number[] = Array.from({ length: 32 }, (_, number) => number);
