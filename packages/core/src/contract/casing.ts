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

/** Keys whose values belong to the tool, not to the wire format. */
const opaque = new Set(["args", "argsSchema"]);

/** The same value with the known snake_case keys in camelCase; a key present in both keeps its camelCase value. */
export function toCamelCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelCase);
  if (typeof value !== "object" || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const name = camelOf.get(key) ?? key;
    if (name !== key && Object.hasOwn(value, name)) continue;
    result[name] = opaque.has(name) ? item : toCamelCase(item);
  }
  return result;
}
