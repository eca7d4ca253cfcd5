import type { JsonObject } from "@holdpoint/core";

/** What a probe is asked about: a call that was started, and of which nobody knows whether it finished. */
export type ProbeRequest = {
  readonly name: string;
  readonly args: JsonObject;
  /** The key that the tool was given with `idempotencyKeyOf`. */
  readonly idempotencyKey: string;
  /** ISO-8601 UTC. */
  readonly startedAt: string;
};

/**
 * What a probe found. `succeeded` and `failed` bring the text that the model gets as the result;
 * `not_started` lets the call run; `unknown` leaves the question to a person.
 */
export type ProbeResult =
  | { readonly status: "succeeded" | "failed"; readonly content: string }
  | { readonly status: "not_started" | "unknown" };

/** Asks the system that a tool acts on whether a call happened; it must change nothing. */
export type Probe = (request: ProbeRequest) => ProbeResult | Promise<ProbeResult>;

/** What a tool says about a second start. */
export type Declaration =
  { readonly type: "idempotent" } | { readonly type: "probeable"; readonly probe: Probe };

const declarations = new WeakMap<object, Declaration>();

/**
 * Declares that the tool may run twice with the same `idempotencyKeyOf(config)` and acts once. After a crash
 * in the middle of a call it is then run again without asking a person. Returns the same tool.
 */
export function idempotent<Tool extends object>(tool: Tool): Tool {
  declarations.set(tool, { type: "idempotent" });
  return tool;
}

/**
 * Declares how to find out whether a call of the tool happened. After a crash in the middle of a call the
 * probe is asked first, and a person only when it does not know, or fails. Returns the same tool.
 */
export function probeable<Tool extends object>(tool: Tool, probe: Probe): Tool {
  declarations.set(tool, { type: "probeable", probe });
  return tool;
}

/** What a tool declares, also when it is a guarded one that inherits from it. */
export function declarationOf(tool: unknown): Declaration | undefined {
  for (let one = tool; typeof one === "object" && one !== null; one = Object.getPrototypeOf(one)) {
    const declared = declarations.get(one);
    if (declared !== undefined) return declared;
  }
  return undefined;
}
