import type { Gate } from "./options.ts";

const gates = new WeakMap<object, Gate>();

/** Remembers which gate a middleware is. */
export function registerGate(middleware: object, gate: Gate): void {
  gates.set(middleware, gate);
}

/** The gate that a middleware is; `undefined` for any other middleware, LangChain's own among them. */
export function gateOfMiddleware(middleware: object): Gate | undefined {
  return gates.get(middleware);
}

/** The gate among an agent's middlewares, or `undefined` when it has none of ours. */
export function gateOf(agent: object): Gate | undefined {
  if (!("options" in agent) || typeof agent.options !== "object" || agent.options === null)
    return undefined;
  const middleware: unknown = "middleware" in agent.options ? agent.options.middleware : [];
  if (!Array.isArray(middleware)) return undefined;
  const own: object | undefined = middleware.find((one: object) => gates.has(one));
  return own === undefined ? undefined : gates.get(own);
}
