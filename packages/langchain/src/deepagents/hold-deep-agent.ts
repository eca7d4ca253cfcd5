import {
  createDeepAgent,
  type CreateDeepAgentParams,
  GENERAL_PURPOSE_SUBAGENT,
  type SupportedResponseFormat,
} from "deepagents";
import type { InteropZodObject } from "@langchain/core/utils/types";
import type { AnyStateSchema } from "@langchain/langgraph";
import type { AgentMiddleware, CreateAgentParams } from "langchain";
import type { Engine } from "@holdpoint/engine";
import { checkpointer } from "../checkpoints/checkpointer.ts";
import type { HumanInTheLoopOptions } from "../gate/options.ts";
import { refusingResumes } from "../run/refusing-resumes.ts";
import { delegation, remoteTools } from "./built-in-tools.ts";
import { addTools, gatePart } from "./deep-gate.ts";
import {
  checkPermissions,
  filePermissions,
  type HeldPermission,
  plainPermissions,
} from "./file-permissions.ts";
import { generalPurpose } from "./general-purpose.ts";
import { type AnyHeldSubAgent, heldSubagent, type Parent } from "./held-subagents.ts";
import { refuseMisspelled } from "../gate/misspelled-names.ts";
import { joinOptions, unpackGate } from "./own-gate.ts";

export type { HeldPermission } from "./file-permissions.ts";
export type { AnyHeldSubAgent, HeldCompiledSubAgent, HeldSubAgent } from "./held-subagents.ts";

/** What `holdDeepAgent` takes: `createDeepAgent`'s parameters, and the gate's options for all its agents. */
export type HoldDeepAgentParams<
  Response extends SupportedResponseFormat = SupportedResponseFormat,
  Context extends InteropZodObject = InteropZodObject,
> = Omit<
  CreateDeepAgentParams<Response, Context>,
  "interruptOn" | "permissions" | "subagents" | "stateSchema" | "streamTransformers"
> &
  Omit<HumanInTheLoopOptions, "agent"> & {
    /** The engine that keeps the record and the checkpoints. Without it pass a `checkpointer`. */
    readonly holdpoint?: Engine | undefined;
    readonly stateSchema?: AnyStateSchema | InteropZodObject;
    readonly streamTransformers?: CreateAgentParams["streamTransformers"];
    readonly permissions?: readonly HeldPermission[];
    readonly subagents?: readonly AnyHeldSubAgent[];
  };

/** A deep agent that holds its risky tool calls, and those of its subagents. */
export type HeldDeepAgent<
  Response extends SupportedResponseFormat = SupportedResponseFormat,
  Context extends InteropZodObject = InteropZodObject,
> = ReturnType<typeof createDeepAgent<Response, Context>>;

/**
 * `createDeepAgent` with a gate in the agent itself, in its general-purpose subagent and in every subagent
 * it is given. Throws `config_invalid` that names the key when a rule is wrong, or the subagent that would
 * run its tools without asking.
 */
export function holdDeepAgent<
  Response extends SupportedResponseFormat = SupportedResponseFormat,
  Context extends InteropZodObject = InteropZodObject,
>(params: HoldDeepAgentParams<Response, Context> = {}): HeldDeepAgent<Response, Context> {
  const { options: given, rest } = splitParams(params);
  refuseMisspelled(params, [...Object.keys(given), "permissions", "subagents"], "");
  const { permissions = [], subagents = [], middleware = [], tools = [], ...plain } = rest;
  checkPermissions(permissions, "permissions");
  const own = unpackGate(middleware, "");
  const inherited = {
    ...given,
    agent: params.name ?? "agent",
    interruptMode: given.interruptMode ?? "per_call",
    unlisted: given.unlisted ?? "review",
  } as const;
  const parent: Parent = {
    options: joinOptions(inherited, own.options),
    permissions,
    model: params.model ?? createDeepAgent().options.model,
    backend: params.backend,
    tools,
    middleware: own.middleware,
    checkpointer: saverOf(params),
  };
  const part = gatePart({
    ...parent,
    guardrail: filePermissions(permissions, "permissions"),
    brought: [delegation, ...(subagents.some((spec) => "graphId" in spec) ? remoteTools : [])],
  });
  const agentParams = {
    ...plain,
    tools: part.tools,
    middleware: part.middleware,
    subagents: [...unnamed(params, parent), ...subagents].map((spec) => heldSubagent(spec, parent)),
    permissions: plainPermissions(permissions),
    ...(parent.checkpointer === undefined ? {} : { checkpointer: parent.checkpointer }),
  };
  // deepagents infers these types from literals only.
  const agent = createDeepAgent(agentParams as Parameters<typeof createDeepAgent>[0]);
  const { middleware: whole = [] } = agent.options;
  addTools(
    part.gate,
    whole.flatMap((one) => one.tools ?? []),
  );
  return refusingResumes(agent) as object as HeldDeepAgent<Response, Context>; // see above
}

/** The checkpointer that was given or else, with an engine, the engine's. */
function saverOf({ checkpointer: given, holdpoint }: HoldDeepAgentParams): Parent["checkpointer"] {
  return given ?? (holdpoint === undefined ? undefined : checkpointer(holdpoint));
}

/** deepagents' own middlewares, which one of the same name replaces in the general-purpose subagent too. */
const replaceable = new Set([
  "FilesystemMiddleware",
  "SummarizationMiddleware",
  "patchToolCallsMiddleware",
  "SkillsMiddleware",
]);

/** The general-purpose subagent, unless the developer gave one of that name. */
function unnamed(
  { subagents = [], skills }: HoldDeepAgentParams,
  { model, middleware }: Parent,
): readonly AnyHeldSubAgent[] {
  if (subagents.some(({ name }) => name === GENERAL_PURPOSE_SUBAGENT.name)) return [];
  const spec = generalPurpose(model);
  if (spec === undefined) return [];
  const replacing: readonly AgentMiddleware[] = middleware.filter(({ name }) =>
    replaceable.has(name),
  );
  return [{ ...spec, middleware: replacing, ...(skills === undefined ? {} : { skills }) }];
}

/** What the gates are made of, and what `createDeepAgent` takes. */
function splitParams(params: HoldDeepAgentParams) {
  const {
    interruptOn,
    holdpoint,
    interruptMode,
    unlisted,
    descriptionPrefix,
    mixedDecisions,
    editNotice,
    maxRejections,
    answers,
    contextMayLoosen,
    ...rest
  } = params;
  const options = {
    interruptOn,
    holdpoint,
    interruptMode,
    unlisted,
    descriptionPrefix,
    mixedDecisions,
    editNotice,
    maxRejections,
    answers,
    contextMayLoosen,
  };
  return { options: options satisfies HumanInTheLoopOptions, rest };
}
