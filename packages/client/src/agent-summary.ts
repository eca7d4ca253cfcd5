/** A text in the languages that the screens speak. */
export type LocalText = { readonly en: string; readonly "zh-CN": string };

/** An agent that a person can talk to. */
export type AgentSummary = {
  readonly name: string;
  readonly title: LocalText;
  /** What a person must know before using it, such as that it is a demonstration. */
  readonly notice?: LocalText;
  /** Requests to start with. */
  readonly suggestions?: { readonly en: readonly string[]; readonly "zh-CN": readonly string[] };
};

/** Reads `{ agents }`, or `undefined` when it has another shape. */
export function readAgents(body: unknown): { readonly agents: AgentSummary[] } | undefined {
  if (!isRecord(body) || !Array.isArray(body["agents"])) return undefined;
  const agents = body["agents"].map(readAgent);
  return agents.every((agent) => agent !== undefined) ? { agents } : undefined;
}

function readAgent(value: unknown): AgentSummary | undefined {
  if (!isRecord(value) || typeof value["name"] !== "string") return undefined;
  const title = inLanguages(value["title"], isText);
  if (title === undefined) return undefined;
  const notice = inLanguages(value["notice"], isText);
  const suggestions = inLanguages(value["suggestions"], isTextList);
  return {
    name: value["name"],
    title,
    ...(notice === undefined ? {} : { notice }),
    ...(suggestions === undefined ? {} : { suggestions }),
  };
}

function inLanguages<T>(
  value: unknown,
  isRight: (part: unknown) => part is T,
): { en: T; "zh-CN": T } | undefined {
  if (!isRecord(value)) return undefined;
  const { en, "zh-CN": chinese } = value;
  return isRight(en) && isRight(chinese) ? { en, "zh-CN": chinese } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(isText);
}
