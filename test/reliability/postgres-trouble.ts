import { openProxy } from "../../packages/engine/src/testing/proxy.ts";
import type { CrashablePostgres } from "../harness/postgres.ts";
import { seeded } from "./seeded.ts";

/** A way to a Postgres server on which everything goes wrong once it was begun. */
export type Trouble = {
  /** The address to use instead of the server's own. */
  readonly database: string;
  readonly begin: () => void;
  /** Lets the server recover, and then leaves it alone. */
  readonly end: () => Promise<TroubleFigures>;
};

/** How often a connection was cut at its COMMIT, before it or before its answer, and the server crashed. */
export type TroubleFigures = { cutBefore: number; cutAfter: number; crashes: number };

/** After so many COMMITs of changes the server crashes, however fast they come. */
const commitsOfLife = 25;

/**
 * Cuts connections at COMMIT, and crashes the server again and again. Of the COMMITs of changes one of so many does
 * not arrive, and as many are not answered.
 */
export async function makeTrouble(
  server: CrashablePostgres,
  database: string,
  seed: number,
  oneOf = 4,
): Promise<Trouble> {
  const figures: TroubleFigures = { cutBefore: 0, cutAfter: 0, crashes: 0 };
  const random = seeded(seed, "trouble");
  let isOn = false;
  const writing = new WeakSet<object>();
  let crashing: Promise<void> | undefined;
  let commits = 0;
  const crash = (): void => {
    crashing ??= server.crash().then(() => {
      figures.crashes += 1;
      commits = 0;
      crashing = undefined;
    });
  };
  const proxy = await openProxy(database, (bytes, cut, client) => {
    if (bytes.includes("READ ONLY")) writing.delete(client);
    if (bytes.includes("ISOLATION LEVEL SERIALIZABLE")) writing.add(client);
    if (!isOn || !writing.has(client) || !bytes.includes("COMMIT")) return bytes;
    commits += 1;
    if (commits >= commitsOfLife) crash();
    const luck = random() * oneOf;
    if (luck < 1) {
      figures.cutBefore += 1;
      cut("now");
    } else if (luck < 2) {
      figures.cutAfter += 1;
      cut("answered");
    }
    return bytes;
  });
  return {
    database: proxy.address,
    begin: () => {
      isOn = true;
    },
    end: async () => {
      isOn = false;
      await crashing;
      proxy.close();
      return figures;
    },
  };
}
