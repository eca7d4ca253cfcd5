/** How many statements a connection keeps at most: this package has fewer, and makes none up at run time. */
const mostNames = 400;
const names = new Map<string, string>();

/** The name under which a connection keeps this statement parsed and planned; none for one too many. */
export function statementName(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= mostNames) return known;
  const name = `holdpoint_${names.size}`;
  names.set(sql, name);
  return name;
}
