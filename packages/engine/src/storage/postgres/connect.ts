import { HoldpointError, refusalOf } from "@holdpoint/core";
import { type ClientBase, Pool } from "pg";
import { databaseName } from "../database-name.ts";
import { commitOn } from "./commit.ts";
import { isMisnamed } from "./failures.ts";
import { isDirect } from "./pooler.ts";
import { settings } from "./settings.ts";
import type { Connection } from "./statements.ts";
import { messageOf } from "../../error-message.ts";

/** The oldest Postgres that is tested, and how many connections one process takes at most. */
const oldestVersion = 15;
const connectionsAtMost = 10;
/** No statement takes longer on a server that is there: it ends them earlier. In milliseconds. */
const longestAnswer = 35_000;
/** As long as a timer can run: some weeks. */
const foreverAlmost = 2 ** 31 - 1;
/** How long a connection may take to be made, in milliseconds. */
const patience = 10_000;

/** A connection that was taken from the pool; a broken one is not given to anybody again. */
export type Taken = Connection & {
  /** True when nobody else uses its session: what is set on it lasts. */
  readonly isOurs: boolean;
  readonly release: (broken: boolean) => void;
};

/** A pool of connections to one database. */
export type Connections = {
  readonly take: () => Promise<Taken>;
  /** For what may take as long as it takes, such as a statement over a whole table. */
  readonly takeForLong: () => Promise<Taken>;
  readonly close: () => Promise<void>;
  /** Turns what kept the database from being opened into a refusal that names it. */
  readonly refusal: (cause: unknown) => unknown;
};

/** Opens a pool, or throws `database_refused` with the way out; no message holds a password. */
export async function connect(address: string): Promise<Connections> {
  const name = databaseName(address);
  // Behind a pooler the next transaction may run on a connection that has neither our settings nor our statements.
  const direct = new WeakSet<ClientBase>();
  const prepare = async (client: ClientBase): Promise<void> => {
    if (!(await isDirect(client))) return;
    await client.query(settings("SESSION"));
    direct.add(client);
  };
  const pool = new Pool({
    connectionString: address,
    max: connectionsAtMost,
    connectionTimeoutMillis: patience,
    query_timeout: longestAnswer,
    keepAlive: true,
    pipeline: true, // what is asked at once is on its way together
    allowExitOnIdle: true,
    application_name: "holdpoint",
    onConnect: prepare as (client: ClientBase) => void, // the pool waits for it, which its types do not say
  });
  pool.on("error", () => undefined); // an idle connection that broke is replaced by the pool
  let keepsNames = true;
  const taker = (limit: { readonly query_timeout?: number }) => async (): Promise<Taken> => {
    const client = await pool.connect();
    const ignore = (): void => undefined; // the statement under way is told as well
    client.on("error", ignore);
    const isOurs = direct.has(client);
    return {
      isOurs,
      query: async (sql, values, statement) => {
        if (sql === "COMMIT") return commitOn(client);
        const query = { text: sql, ...limit, ...(values === undefined ? {} : { values }) };
        if (statement === undefined || !isOurs || !keepsNames) return client.query(query);
        try {
          return await client.query({ ...query, name: statement });
        } catch (error) {
          if (isMisnamed(error)) keepsNames = false;
          throw error;
        }
      },
      release: (broken) => {
        client.off("error", ignore);
        client.release(broken);
      },
    };
  };
  const take = taker({});
  try {
    await refuseUnsafe(take, name);
    return {
      take,
      takeForLong: taker({ query_timeout: foreverAlmost }),
      close: () => pool.end(),
      refusal: (cause) => refusalFor(name, cause),
    };
  } catch (cause) {
    await pool.end();
    throw refusalFor(name, cause);
  }
}

async function refuseUnsafe(take: () => Promise<Taken>, name: string): Promise<void> {
  const connection = await take();
  try {
    const { rows } = await connection.query(
      `SELECT current_setting('server_version_num')::int / 10000 AS version,
         current_setting('server_version') AS full_version, current_setting('fsync') AS fsync,
         current_setting('server_encoding') AS encoding, pg_is_in_recovery() AS is_copy`,
    );
    const refuse = (what: string): never => {
      throw new HoldpointError("database_refused", `The database ${name} ${what}.`);
    };
    const found = rows[0] ?? {};
    if (Number(found["version"]) < oldestVersion) {
      const has = String(found["full_version"]);
      refuse(`is PostgreSQL ${has}; Holdpoint needs ${oldestVersion} or later`);
    }
    if (found["is_copy"] === true) refuse("is a read-only copy; use the address of the primary");
    if (found["encoding"] !== "UTF8") refuse("is not in UTF8; make one with ENCODING 'UTF8'");
    if (found["fsync"] !== "on") {
      refuse("runs with fsync off and would lose decisions in a power cut; turn it on");
    }
  } finally {
    connection.release(false);
  }
}

function refusalFor(name: string, cause: unknown): unknown {
  if (refusalOf(cause) !== undefined) return cause;
  return new HoldpointError(
    "database_refused",
    `The database ${name} could not be opened (${reasonOf(cause)}); check the address, the user and that the server runs.`,
    { cause },
  );
}

/** Every address of a host that was tried has an error of its own. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join("; ");
  return messageOf(cause);
}
