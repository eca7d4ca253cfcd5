import { restoreText, storableText } from "./storable-text.ts";
import type { Row } from "../rows/row.ts";
import { statementName } from "./statement-names.ts";

/** What may be bound. */
export type SqlValue = string | number | boolean | Uint8Array | readonly SqlElement[] | undefined;

/** What may stand in a list that is bound. */
type SqlElement = string | number | Uint8Array | undefined;

/** Runs SQL in one transaction, in the order in which it is called; values are bound, never spliced. */
export type Statements = {
  /** Returns how many rows changed. */
  readonly run: (sql: string, ...values: readonly SqlValue[]) => Promise<number>;
  readonly get: (sql: string, ...values: readonly SqlValue[]) => Promise<Row | undefined>;
  readonly all: (sql: string, ...values: readonly SqlValue[]) => Promise<readonly Row[]>;
};

/** The part of a `pg` client that a transaction needs. */
export type Connection = {
  readonly query: (
    sql: string,
    values?: unknown[],
    name?: string,
  ) => Promise<{
    readonly rows: Record<string, unknown>[];
    readonly rowCount: number | null;
    readonly command: string;
  }>;
};

/** The statements of one transaction, and what became of them. */
export type Transaction = {
  readonly sql: Statements;
  /** Resolves when nothing is on its way any more. */
  readonly settled: () => Promise<void>;
  /** The first error that a statement met, even when the work swallowed it. */
  readonly failure: () => unknown;
};

/** Work may start several statements at once: they are on their way together, and done in their order. */
export function createTransaction(connection: Connection): Transaction {
  let last: Promise<unknown> = Promise.resolve();
  let failure: unknown;
  const query = (sql: string, values: readonly SqlValue[]) => {
    const result = connection.query(sql, values.map(toSql), statementName(sql));
    last = result.catch((error: unknown) => void (failure ??= error));
    return result;
  };
  return {
    sql: {
      run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
      get: async (sql, ...values) => (await query(sql, values)).rows.map(fromSql)[0],
      all: async (sql, ...values) => (await query(sql, values)).rows.map(fromSql),
    },
    settled: async () => void (await last),
    failure: () => failure,
  };
}

function toSql(value: SqlValue): unknown {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map((one: SqlElement) => toSql(one));
  return value ?? null;
}

/** Changes the row itself: it was made for us, and nearly never holds anything to restore. */
function fromSql(row: Record<string, unknown>): Row {
  for (const name in row) {
    const value = row[name];
    if (typeof value === "string") row[name] = restoreText(value);
  }
  return row;
}
