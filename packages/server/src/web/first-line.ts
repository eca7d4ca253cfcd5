/** The first line of what an error says, without its stack and without a closing full stop. */
export function firstLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const line = message.trim().split("\n", 1)[0]?.trim().replace(/\.$/, "") ?? "";
  return line === "" ? "it gave no reason" : line;
}
