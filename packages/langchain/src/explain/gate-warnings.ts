import { keysFor, keysWithoutTool } from "@holdpoint/core";
import type { AgentMiddleware } from "langchain";
import { gateOfMiddleware } from "../gate/gate-of.ts";
import type { Gate } from "../gate/options.ts";
import { isInvokable } from "../tool/permitted-tool.ts";
import type { AgentFacts } from "./agent-facts.ts";

/** Middlewares of LangChain that take a pause for a failure of the tool (langchain 1.5.14, fixed in 1.5.15). */
const takesPausesForErrors = new Set(["toolRetryMiddleware"]);

/** Middlewares that let a pause through; deepagents puts them before every gate (deepagents 1.14.1). */
const letsPausesThrough = new Set(["FilesystemMiddleware"]);

/** What about an agent may let a call slip, or its pause be lost; one sentence each. */
export function warningsAbout(facts: AgentFacts, tool: string): readonly string[] {
  const { gate } = facts;
  if (gate === undefined) return warningsWithoutGate(facts);
  return [
    ...warningsAboutTool(facts, gate, tool),
    ...warningsAboutKeys(facts, gate, tool),
    ...warningsAboutOthers(facts, gate),
  ];
}

function warningsWithoutGate({ middleware }: AgentFacts): readonly string[] {
  return middleware.some((one) => one.name === "HumanInTheLoopMiddleware")
    ? [
        "Its HumanInTheLoopMiddleware is not Holdpoint's, or a copy of it: import humanInTheLoopMiddleware from @holdpoint/langchain, and pass the very object that it returns.",
      ]
    : [];
}

function warningsAboutTool({ tools }: AgentFacts, gate: Gate, name: string): readonly string[] {
  const tool = tools.get(name);
  if (tool === undefined && !gate.isClosed) {
    return [
      `${name} is not registered with the agent; the gate holds it only if another middleware brings it along.`,
    ];
  }
  if (tool === undefined || isInvokable(tool)) return [];
  return [`${name} runs at the model's provider, where no gate of this process can hold it.`];
}

function warningsAboutKeys({ tools }: AgentFacts, gate: Gate, name: string): readonly string[] {
  const [, ...later] = keysFor(gate.rules, name);
  const stray = keysWithoutTool(gate.rules, [...tools.keys()]);
  return [
    ...later.map((key) => `interruptOn["${key}"] matches ${name} too, but comes later.`),
    ...stray.map(({ key, meant }) => {
      const hint = meant === undefined ? "" : `; did you mean ${meant}?`;
      return `interruptOn["${key}"] matches no tool of the agent${hint}`.replace(/[^?]$/, "$&.");
    }),
  ];
}

function warningsAboutOthers({ middleware }: AgentFacts, gate: Gate): readonly string[] {
  const at = middleware.findIndex((one) => gateOfMiddleware(one) === gate);
  const jumps = middleware.slice(at + 1).filter(({ afterModel }) => maySendToTools(afterModel));
  return [
    ...jumps.map(
      ({ name }) =>
        `${name} may jump to the tools before the gate has seen the turn, and several calls at once could then not wait: list it before the gate.`,
    ),
    ...warningsAboutWrappers(middleware, at, gate),
  ];
}

function maySendToTools(hook: AgentMiddleware["afterModel"]): boolean {
  return typeof hook === "object" && (hook.canJumpTo ?? []).includes("tools");
}

function warningsAboutWrappers(
  middleware: readonly AgentMiddleware[],
  at: number,
  gate: Gate,
): readonly string[] {
  return middleware.flatMap(({ name, wrapToolCall }, index) => {
    if (wrapToolCall === undefined || index === at || letsPausesThrough.has(name)) return [];
    if (takesPausesForErrors.has(name)) {
      return index < at
        ? [
            `${name} stands before the gate and, before LangChain 1.5.15, takes a pause for a failure of the tool, which ends the run: list the gate first.`,
          ]
        : [];
    }
    if (index < at)
      return [
        `${name} stands before the gate: it must let GraphInterrupt through, or no call waits.`,
      ];
    return gate.isClosed
      ? []
      : [
          `${name} stands between the gate and the tools and could put another tool in its place; holdAgent rules that out.`,
        ];
  });
}
