import { HoldpointError } from "@holdpoint/core";

/** True for the address of a Postgres. */
export function isPostgres(database: string): boolean {
  return /^postgres(ql)?:/.test(database);
}

/** Names a database for people: its address without who signs in and how. Throws `database_refused` for no address. */
export function databaseName(address: string): string {
  if (!isPostgres(address)) return address;
  if (!URL.canParse(address)) {
    throw new HoldpointError(
      "database_refused",
      `The database address is not one that can be read; write it as "postgres://user:password@host:5432/name", with special characters of the password percent-encoded.`,
    );
  }
  const { host, pathname } = new URL(address);
  return `postgres://${host}${pathname}`;
}
