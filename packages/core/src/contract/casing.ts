import { jsonLimits } from "../plain-json.ts";

/**
 * The names that differ between the two casings of LangChain's human-in-the-loop wire format
 * (Python: snake_case, JS: camelCase). Only these are translated: tool arguments are never touched.
 */
const camelOf: ReadonlyMap<string, string> = new Map([
  ["action_requests", "actionRequests"],
  ["review_configs", "reviewConfigs"],
  ["action_name", "actionName"],
  ["allowed_decisions", "allowedDecisions"],
  ["args_schema", "argsSchema"],
  ["edited_action", "editedAction"],
  ["action_id", "actionId"],
  ["tool_call_id", "toolCallId"],
  ["idempotency_key", "idempotencyKey"],
]);

/** Keys whose values belong to the tool or to its question, not to the wire format. */
const opaque = new Set(["args", "argsSchema", "value", "answerSchema"]);

/** The same value with the known snake_case keys in camelCase; a key present in both keeps its camelCase value. */
export function toCamelCase(value: unknown): unknown {
  return translate(value, 0);
}

/** Below the limit of plain JSON nothing is ours, so a value of any depth can be given. */
function translate(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > jsonLimits.depth) return value;
  if (Array.isArray(value)) return value.map((item) => translate(item, depth + 1));
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const name = camelOf.get(key) ?? key;
    if (name !== key && Object.hasOwn(value, name)) return [];
    return [[name, opaque.has(name) ? item : translate(item, depth + 1)]];
  });
  return Object.fromEntries(entries); // own properties only: `__proto__` stays an ordinary key
}
