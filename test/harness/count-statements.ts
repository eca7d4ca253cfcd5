import { Client } from "pg";

/** The texts of the statements that this process sends to Postgres while `work` is under way, BEGIN and COMMIT too. */
export async function statementsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const texts: string[] = [];
  const prototype = Client.prototype as { query: (...values: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function (this: Client, ...values) {
    const [first] = values as [string | { readonly text?: string } | undefined];
    texts.push(typeof first === "string" ? first : String(first?.text));
    return query.apply(this, values);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return texts;
}
