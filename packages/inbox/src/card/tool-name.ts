import { hasHiddenCharacters } from "@holdpoint/core";

/** A tool's name in plain words: `send_email` becomes "Send email", `crm.getOwner` "Crm · Get owner". */
export function plainToolName(name: string): string {
  if (hasHiddenCharacters(name)) return name; // must not look tidier than it is
  const parts = name.split(/__+|[./:]+/).map(words);
  return parts.filter((part) => part !== "").join(" · ") || name;
}

function words(part: string): string {
  const text = part
    .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(/[\s_-]+/)
    .filter((word) => word !== "")
    .map((word) => (/^\p{Lu}{2,}\d*$/u.test(word) ? word : word.toLowerCase()))
    .join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
