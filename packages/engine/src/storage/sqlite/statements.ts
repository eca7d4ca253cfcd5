import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Row } from "../rows/row.ts";

/** Runs SQL on one connection; each text is prepared once. */
export type Statements = {
  readonly run: (sql: string, ...values: readonly SqlValue[]) => number;
  readonly get: (sql: string, ...values: readonly SqlValue[]) => Row | undefined;
  readonly all: (sql: string, ...values: readonly SqlValue[]) => readonly Row[];
};

/** What may be bound; `undefined` and booleans are turned into what SQLite stores, in this one place. */
export type SqlValue = string | number | boolean | Uint8Array | null | undefined;

/**
 * Opens the statement cache of a connection. `run` returns how many rows changed. `failed` hears of every
 * statement that threw, also when whoever ran it goes on.
 */
export function createStatements(
  database: DatabaseSync,
  failed: (error: unknown) => void = () => undefined,
): Statements {
  const cache = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = cache.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    cache.set(sql, statement);
    return statement;
  };
  const heard = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      failed(error);
      throw error;
    }
  };
  return {
    run: (sql, ...values) => heard(() => Number(prepared(sql).run(...values.map(toSql)).changes)),
    get: (sql, ...values) => heard(() => prepared(sql).get(...values.map(toSql))),
    all: (sql, ...values) => heard(() => prepared(sql).all(...values.map(toSql))),
  };
}

function toSql(value: SqlValue): SQLInputValue {
  if (value === undefined) return null;
  return typeof value === "boolean" ? Number(value) : value;
}
