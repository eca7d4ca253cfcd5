import { failpoint, killableWrites } from "../failpoint.ts";
import type { Storage, Writing } from "./storage.ts";

const writes: ReadonlyMap<string | symbol, (typeof killableWrites)[number]> = new Map(
  killableWrites.map((name) => [name, name]),
);

/** The same storage with a named point after each write inside its transactions; for crash tests only. */
export function withKillableWrites(storage: Storage): Storage {
  return { ...storage, write: (work) => storage.write((writing) => work(killable(writing))) };
}

function killable(writing: Writing): Writing {
  return new Proxy(writing, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      const write = writes.get(key);
      if (write === undefined || typeof member !== "function") return member;
      return async (...values: readonly unknown[]) => {
        const result: unknown = await Reflect.apply(member, target, values);
        failpoint(`write.${write}`);
        return result;
      };
    },
  });
}
