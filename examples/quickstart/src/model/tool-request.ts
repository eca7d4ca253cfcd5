/** One tool call a message asks for, before it has an id. */
export type ToolRequest = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /**
   * The argument that is only known once an earlier request has its result: "read a.txt and mail it
   * to …" (the latest text), "ask me … and write my answer to …" (the latest answer).
   */
  readonly awaits?: { readonly argument: "content" | "body"; readonly source: Source };
  /** What is not certain about the request; it is asked back, and no call is made. */
  readonly doubt?: Doubt;
};

/** Words of a message that can be read in more than one way. */
export type Doubt = { readonly type: "amount" | "file"; readonly text: string };

/** Where an awaited text comes from. */
export type Source = "answer" | "latest";

/** Whether two calls are the same tool with the same arguments, whatever the order of the keys. */
export function isSameCall(
  one: Pick<ToolRequest, "name" | "args">,
  other: Pick<ToolRequest, "name" | "args">,
): boolean {
  return one.name === other.name && sortedJson(one.args) === sortedJson(other.args);
}

function sortedJson(args: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(args).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A text argument; empty when it is missing or is no text. */
export function textArgument(args: ToolRequest["args"], name: string): string {
  const value = args[name];
  return typeof value === "string" ? value : "";
}
