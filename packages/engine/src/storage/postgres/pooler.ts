/** The part of a `pg` client that it takes to ask. */
type Asking = {
  readonly query: (sql: string) => Promise<{ readonly rows: readonly unknown[] }>;
};

/**
 * True when this connection ends at the server itself. A pooler gives each client a process number of its
 * own; the server tells that of whoever serves the client right now.
 */
export async function isDirect(client: Asking): Promise<boolean> {
  const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
  const [row] = rows;
  if (typeof row !== "object" || row === null || !("pid" in row)) return false;
  return row.pid === Reflect.get(client, "processID"); // `pg` documents it, its types lack it
}
