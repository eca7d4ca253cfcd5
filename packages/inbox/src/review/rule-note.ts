import type { ActionView } from "@holdpoint/core";

/** What the rule's author wrote; LangChain's usual text only says the name and the arguments again. */
export function ruleNote({
  description,
  name,
}: Pick<ActionView, "description" | "name">): string | undefined {
  const text = description?.trim() ?? "";
  return text === "" || text.includes(`\n\nTool: ${name}\nArgs: `) ? undefined : text;
}
