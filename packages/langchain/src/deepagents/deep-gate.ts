import type { ClientTool, ServerTool } from "@langchain/core/tools";
import { createFilesystemMiddleware, type HarnessProfile } from "deepagents";
import type { AgentMiddleware } from "langchain";
import { compileInterruptOn, HoldpointError, ruleFor } from "@holdpoint/core";
import { registerPolicy } from "../gate/bound-gate.ts";
import type { Guardrail } from "../gate/guardrail.ts";
import { gateMiddleware, gateName } from "../gate/human-in-the-loop.ts";
import type { InterruptOn } from "../gate/interrupt-on.ts";
import { compileGate, type Gate, type HumanInTheLoopOptions } from "../gate/options.ts";
import { isInvokable, permittedTool } from "../tool/permitted-tool.ts";
import { sealedMiddleware } from "../gate/sealed-middleware.ts";
import { schemaOf } from "../tool/tool-schema.ts";
import { freeTools } from "./built-in-tools.ts";
import { profileOf } from "./harness-profile.ts";

type AnyTool = ClientTool | ServerTool;

/** One agent of a deep agent, as its developer wrote it. */
export type DeepAgentPart = {
  /** The gate's options, with the name that the agent's reviews are asked under. */
  readonly options: HumanInTheLoopOptions & { readonly agent: string };
  readonly guardrail: Guardrail | undefined;
  readonly model: unknown;
  readonly backend: unknown;
  readonly tools: readonly AnyTool[];
  readonly middleware: readonly AgentMiddleware[];
  /** The names of the tools that deepagents adds to this agent, beside those for files. */
  readonly brought: readonly string[];
};

/** The same agent with its gate: nothing in it runs a tool that the gate has not let through. */
export type GatedPart = {
  readonly tools: AnyTool[];
  readonly middleware: AgentMiddleware[];
  readonly gate: Gate;
};

/** Gives one agent its gate, wraps its tools, and seals every middleware that deepagents puts behind the gate. */
export function gatePart(part: DeepAgentPart): GatedPart {
  const { options, guardrail, model, tools, middleware } = part;
  const profile = profileOf(model);
  if (profile?.excludedMiddleware.has(gateName) === true) throw excluded(options.agent);
  const behind = [...middleware, ...addedBy(profile, middleware)];
  const theirs = [
    ...behind.flatMap((one) => one.tools ?? []),
    ...(createFilesystemMiddleware().tools ?? []),
  ];
  const usual = usualRules(part, [...theirs.map((tool) => String(tool["name"])), ...part.brought]);
  const compiled = compileGate({ ...options, interruptOn: { ...usual, ...options.interruptOn } });
  const gate: Gate = { ...compiled, guardrail, isClosed: true };
  addTools(gate, [...tools, ...theirs]);
  if (gate.engine !== undefined) registerPolicy({ ...gate, holdpoint: gate.engine });
  return {
    gate,
    tools: tools.map((tool) => (isInvokable(tool) ? permittedTool(gate, tool) : tool)),
    middleware: [gateMiddleware(gate), ...behind.map((one) => sealedMiddleware(gate, one))],
  };
}

/** What deepagents' own tools may do unless a key of `interruptOn` stands for them, or a tool of the developer's has the name. */
function usualRules(
  { options, backend, tools }: DeepAgentPart,
  names: readonly string[],
): InterruptOn {
  const written = compileInterruptOn(options.interruptOn ?? {}, "allow");
  const own = new Set(tools.map((tool) => tool["name"]));
  const free = freeTools(backend).filter(
    (name) => names.includes(name) && !own.has(name) && ruleFor(written, name) === undefined,
  );
  return Object.fromEntries(free.map((name) => [name, false]));
}

/** Tells the gate of tools that its agent has; a call to any other can never run, so nobody is asked about it. */
export function addTools(gate: Gate, tools: readonly unknown[]): void {
  for (const tool of tools) {
    if (!isInvokable(tool) || gate.tools.has(tool.name)) continue;
    gate.tools.set(tool.name, tool);
    gate.schemas.set(tool.name, schemaOf(tool));
  }
}

/** What a model's profile adds to every agent stands behind the gate, under its own name so that it is replaced there. */
function addedBy(
  profile: HarnessProfile | undefined,
  middleware: readonly AgentMiddleware[],
): readonly AgentMiddleware[] {
  const extra = profile?.extraMiddleware ?? [];
  const given = new Set(middleware.map((one) => one.name));
  return (typeof extra === "function" ? extra() : extra).filter((one) => !given.has(one.name));
}

function excluded(agent: string): HoldpointError {
  return new HoldpointError(
    "config_invalid",
    `The profile of the model of ${agent} excludes ${gateName}, so its tools would run without asking; take the name out of the profile's excludedMiddleware.`,
    { details: { key: "excludedMiddleware" } },
  );
}
