import type { AsyncSubAgent, CompiledSubAgent, CreateDeepAgentParams, SubAgent } from "deepagents";
import type { AgentMiddleware } from "langchain";
import { type Holdpoint, HoldpointError } from "@holdpoint/core";
import { HoldpointSaver } from "../checkpoints/checkpointer.ts";
import type { InterruptOn } from "../gate/interrupt-on.ts";
import { gateOf } from "../gate/gate-of.ts";
import type { HumanInTheLoopOptions } from "../gate/options.ts";
import { delegation } from "./built-in-tools.ts";
import { type DeepAgentPart, gatePart } from "./deep-gate.ts";
import {
  checkPermissions,
  filePermissions,
  type HeldPermission,
  plainPermissions,
} from "./file-permissions.ts";
import { refuseMisspelled } from "../gate/misspelled-names.ts";
import { joinOptions, unpackGate } from "./own-gate.ts";

/** A subagent that deepagents builds. Its `interruptOn` and `permissions` replace the agent's, as in deepagents. */
export type HeldSubAgent = Omit<SubAgent, "interruptOn" | "permissions"> & {
  readonly interruptOn?: InterruptOn;
  readonly permissions?: readonly HeldPermission[];
};

/** A subagent that is built already: one of `holdAgent` or `holdDeepAgent`, or one that asks by itself. */
export type HeldCompiledSubAgent = CompiledSubAgent & {
  /** In words, how its tools ask a person; Holdpoint cannot gate what somebody else has built. */
  readonly ownGate?: string;
};

/** Any subagent that `holdDeepAgent` takes. A remote one is gated by the calls that start and update it. */
export type AnyHeldSubAgent = HeldSubAgent | HeldCompiledSubAgent | AsyncSubAgent;

/** What subagents have from the agent they belong to. */
export type Parent = Omit<DeepAgentPart, "guardrail" | "options" | "brought"> & {
  readonly options: HumanInTheLoopOptions & {
    readonly agent: string;
    readonly unlisted: NonNullable<HumanInTheLoopOptions["unlisted"]>;
  };
  readonly permissions: readonly HeldPermission[];
  readonly checkpointer: CreateDeepAgentParams["checkpointer"] | undefined;
};

/** The subagent with a gate of its own, ready for deepagents; throws `config_invalid` that names it when it would run free. */
export function heldSubagent(
  spec: AnyHeldSubAgent,
  parent: Parent,
): SubAgent | CompiledSubAgent | AsyncSubAgent {
  refuseMisspelled(spec, ["interruptOn", "permissions", "ownGate"], `subagents.${spec.name}.`);
  if ("graphId" in spec) return spec;
  return "runnable" in spec ? compiled(spec, parent) : declarative(spec, parent);
}

function declarative(spec: HeldSubAgent, parent: Parent): SubAgent {
  const where = `subagents.${spec.name}.`;
  const { interruptOn, permissions, ...plain } = spec;
  if (permissions !== undefined) checkPermissions(permissions, `${where}permissions`);
  const rules = permissions ?? parent.permissions;
  const own = unpackGate(spec.middleware ?? [], where);
  const inherited = {
    ...parent.options,
    interruptOn: interruptOn ?? parent.options.interruptOn,
    agent: `${parent.options.agent}/${spec.name}`,
  };
  const part = gatePart({
    options: joinOptions(inherited, own.options),
    guardrail: filePermissions(
      rules,
      permissions === undefined ? "permissions" : `${where}permissions`,
    ),
    model: spec.model ?? parent.model,
    backend: parent.backend,
    tools: spec.tools ?? parent.tools,
    middleware: [...mirrored(spec, parent, own.middleware), ...own.middleware],
    brought: spec.mode === "fork" ? [delegation] : [],
  });
  return {
    ...plain,
    tools: part.tools as NonNullable<SubAgent["tools"]>, // the same tools, wrapped
    middleware: part.middleware,
    ...(permissions === undefined ? {} : { permissions: plainPermissions(permissions) }),
  };
}

/** A fork runs the agent's own middlewares too; they stand behind the fork's gate, not the agent's. */
function mirrored(
  spec: HeldSubAgent,
  parent: Parent,
  own: readonly AgentMiddleware[],
): readonly AgentMiddleware[] {
  if (spec.mode !== "fork") return [];
  const names = new Set(own.map((one) => one.name));
  return parent.middleware.filter((one) => !names.has(one.name));
}

function compiled(spec: HeldCompiledSubAgent, parent: Parent): CompiledSubAgent {
  const { ownGate, ...plain } = spec;
  const key = `subagents.${spec.name}`;
  const gate = gateOf(spec.runnable);
  if (gate !== undefined) {
    if (engineIn(gate.engine, parent) === engineIn(parent.options.holdpoint, parent)) return plain;
    refuse(key, "asks another engine than the agent it belongs to; pass both the same holdpoint");
  }
  if (ownGate === undefined)
    refuse(
      key,
      "is built already and would run its tools without asking; build its runnable with holdAgent or holdDeepAgent, or say in ownGate how its tools ask a person",
    );
  if (typeof ownGate !== "string" || ownGate.trim() === "")
    refuse(`${key}.ownGate`, "must say in words how its tools ask a person");
  return plain;
}

/** Where a gate keeps its record: in the engine that it was given, or in that of the thread's checkpointer. */
function engineIn(given: Holdpoint | undefined, parent: Parent): Holdpoint | undefined {
  const saver = parent.checkpointer;
  return given ?? (saver instanceof HoldpointSaver ? saver.engine : undefined);
}

function refuse(key: string, why: string): never {
  throw new HoldpointError("config_invalid", `${key} ${why}.`, { details: { key } });
}
