import { isPostgres } from "./database-name.ts";

/** What other processes on the database have done: threads with due work, and threads with new events. */
export type News = { readonly due: readonly string[]; readonly said: readonly string[] };

/**
 * Hints between the processes on one database. A hint saves a wait and carries no truth: it may be lost,
 * and whoever needs to know looks for itself now and then.
 */
export type Hints = {
  /** Passes on, soon, that work on a thread became due or that a thread has new events. Never fails. */
  readonly tell: (about: keyof News, threadId: string) => void;
  /** Hears what other processes tell; never what this one told. */
  readonly listen: (listener: (news: News) => void) => void;
  readonly close: () => Promise<void>;
};

/** Opens the hints of a database; where it has none, as SQLite, they are never heard. */
export async function openHints(database: string, directAddress?: string): Promise<Hints> {
  if (!isPostgres(database)) {
    return { tell: () => undefined, listen: () => undefined, close: async () => undefined };
  }
  const { openPostgresHints } = await import("./postgres/hints.ts");
  return openPostgresHints(database, directAddress);
}
