import type { Json, JsonObject } from "@holdpoint/core";

/** What an export leaves out, besides values whose key names a secret. */
export type RedactionPolicy = {
  /** Paths in the body of an event, as `actions.*.tool`; `*` stands for any one key or place in a list. */
  readonly paths: readonly string[];
  /** More names of keys, whatever their case, wherever they stand. */
  readonly keys: readonly string[];
};

/** What stands for a value that was left out. */
export const redactedText = "[redacted]";

/** Parts of key names that say what is behind them is secret, letters only. */
const secretNames = [
  "password",
  "passwd",
  "passphrase",
  "secret",
  "token",
  "authorization",
  "apikey",
  "accesskey",
  "privatekey",
  "credential",
  "cookie",
];

/** Replaces secrets and what the policy names; says which paths were replaced. */
export function redact(
  body: JsonObject,
  policy: RedactionPolicy,
): { readonly body: JsonObject; readonly redacted: readonly string[] } {
  const redacted: string[] = [];
  const paths = policy.paths.map((path) => path.split("."));
  const keys = new Set(policy.keys.map(lettersOf));
  const isSecret = (key: string): boolean => {
    const letters = lettersOf(key);
    return keys.has(letters) || secretNames.some((name) => letters.includes(name));
  };
  const isNamed = (path: readonly string[]): boolean =>
    paths.some(
      (named) =>
        named.length === path.length &&
        named.every((part, index) => part === "*" || part === path[index]),
    );
  const seen = (value: Json, path: readonly string[]): Json => {
    const key = path.at(-1);
    if (key !== undefined && (isSecret(key) || isNamed(path))) {
      redacted.push(path.join("."));
      return redactedText;
    }
    if (Array.isArray(value)) return value.map((item, index) => seen(item, [...path, `${index}`]));
    return typeof value === "object" && value !== null ? inside(value as JsonObject, path) : value;
  };
  const inside = (value: JsonObject, path: readonly string[]): JsonObject =>
    Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, seen(item, [...path, name])]),
    );
  return { body: inside(body, []), redacted };
}

function lettersOf(key: string): string {
  return key.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
