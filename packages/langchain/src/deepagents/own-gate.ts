import type { AgentMiddleware } from "langchain";
import { compileInterruptOn, HoldpointError, ruleFor } from "@holdpoint/core";
import type { InterruptOn } from "../gate/interrupt-on.ts";
import { gateOfMiddleware } from "../gate/gate-of.ts";
import { gateName } from "../gate/human-in-the-loop.ts";
import type { HumanInTheLoopOptions } from "../gate/options.ts";

/** The middlewares of one agent, without a gate among them, and what that gate was made from. */
export type Unpacked = {
  readonly middleware: readonly AgentMiddleware[];
  readonly options: HumanInTheLoopOptions | undefined;
};

/**
 * Takes a gate that the developer put among an agent's middlewares out, so that it becomes one with the
 * agent's own. Throws `config_invalid` for LangChain's, whose rules nobody can read.
 */
export function unpackGate(middleware: readonly AgentMiddleware[], where: string): Unpacked {
  const own = middleware.find((one) => one.name === gateName);
  if (own === undefined) return { middleware, options: undefined };
  const options = gateOfMiddleware(own)?.options;
  if (options === undefined) {
    const key = `${where}middleware`;
    throw new HoldpointError(
      "config_invalid",
      `${key} holds a ${gateName} that is not Holdpoint's; write its rules as ${where}interruptOn, or import humanInTheLoopMiddleware from @holdpoint/langchain.`,
      { details: { key } },
    );
  }
  return { middleware: middleware.filter((one) => one !== own), options };
}

/** Both rules together. Where the inherited ones hold a tool they stay; elsewhere the agent's own gate counts. */
export function joinRules(inherited: InterruptOn, own: InterruptOn): InterruptOn {
  const compiled = compileInterruptOn(inherited, "allow");
  const added = Object.entries(own).filter(([tool]) => {
    const rule = ruleFor(compiled, tool)?.rule;
    return rule === undefined || rule === "allow";
  });
  return { ...inherited, ...Object.fromEntries(added) };
}

const strictness = { allow: 0, review: 1, deny: 2 } as const;

/** The options of an agent whose developer gave it a gate of its own: that gate's, but `unlisted` is the stricter one. */
export function joinOptions<Options extends HumanInTheLoopOptions>(
  inherited: Options & { readonly unlisted: NonNullable<HumanInTheLoopOptions["unlisted"]> },
  own: HumanInTheLoopOptions | undefined,
): Options {
  if (own === undefined) return inherited;
  const {
    unlisted = inherited.unlisted,
    interruptOn,
    holdpoint: _holdpoint,
    agent: _agent,
    ...rest
  } = own;
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return {
    ...inherited,
    ...Object.fromEntries(given),
    interruptOn: joinRules(inherited.interruptOn ?? {}, interruptOn ?? {}),
    unlisted: strictness[unlisted] > strictness[inherited.unlisted] ? unlisted : inherited.unlisted,
  };
}
