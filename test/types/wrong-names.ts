// Wrong names and forms do not compile. `npm run check` fails where one of them would.
import {
  type Decision,
  type DecisionType,
  holdAgent,
  type HITLRequest,
  type HITLResponse,
  humanInTheLoopMiddleware,
  type HumanInTheLoopOptions,
  type InterruptOnConfig,
  type WhenPredicate,
} from "@holdpoint/langchain";
import type { Holdpoint } from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";

const decides: InterruptOnConfig = { allowedDecisions: ["approve"] };

/** Options. */
export const options: HumanInTheLoopOptions[] = [
  // @ts-expect-error the option is interruptOn
  { interrupt_on: { pay: true } },
  // @ts-expect-error the option is unlisted
  { interruptOn: {}, unlistd: "deny" },
  // @ts-expect-error one of allow, review, deny
  { interruptOn: {}, unlisted: "ask" },
  // @ts-expect-error the mode is called batched
  { interruptOn: {}, interruptMode: "batch" },
  // @ts-expect-error the prefix is a text
  { interruptOn: {}, descriptionPrefix: 5 },
  // @ts-expect-error a rule is true, false or an object
  { interruptOn: { pay: "yes" } },
  // @ts-expect-error a list of names is no interruptOn
  { interruptOn: ["pay"] },
];

/** Rules. */
export const rules: InterruptOnConfig[] = [
  // @ts-expect-error allowedDecisions is needed
  {},
  // @ts-expect-error the other casing
  { allowed_decisions: ["approve"] },
  // @ts-expect-error the decision is called approve
  { allowedDecisions: ["accept"] },
  // @ts-expect-error a single decision is no list
  { allowedDecisions: "approve" },
  // @ts-expect-error the option is when
  { ...decides, wehn: () => true },
  // @ts-expect-error a condition answers true or false
  { ...decides, when: () => "yes" },
  // @ts-expect-error a condition is a function
  { ...decides, when: true },
  // @ts-expect-error a description is a text
  { ...decides, description: () => 5 },
  // @ts-expect-error a schema is an object
  { ...decides, argsSchema: "object" },
];

/** What a condition is told. */
export const conditions: WhenPredicate[] = [
  // @ts-expect-error the call is toolCall
  ({ tool_call }) => tool_call !== undefined,
  // @ts-expect-error the agent has a name
  ({ agent }) => agent.id === "main",
  // @ts-expect-error the context is unknown until it is read
  ({ context }) => context.userId === "anna",
];

/** Decisions. */
export const decisions: Decision[] = [
  // @ts-expect-error the decision is called approve
  { type: "accept" },
  // @ts-expect-error an edit needs editedAction
  { type: "edit" },
  // @ts-expect-error an edited action has args
  { type: "edit", editedAction: { name: "pay", arguments: {} } },
  // @ts-expect-error a reason is called message
  { type: "reject", reason: "no" },
  // @ts-expect-error a response has a message
  { type: "respond" },
  // @ts-expect-error an approval has no message
  { type: "approve", message: "fine" },
];

/** Answers and requests. */
export const wire: [DecisionType, HITLResponse, HITLRequest][] = [
  // @ts-expect-error the decision is called respond
  ["response", { decisions: [] }, { actionRequests: [], reviewConfigs: [] }],
  // @ts-expect-error one decision for each call, in a list
  ["respond", { decision: { type: "approve" } }, { actionRequests: [], reviewConfigs: [] }],
  // @ts-expect-error the types are in camelCase, whatever is accepted at run time
  ["respond", { decisions: [] }, { action_requests: [], review_configs: [] }],
];

/** Agents. */
export function agents(holdpoint: Holdpoint, engine: Engine) {
  // @ts-expect-error the option is called holdpoint
  const unknown = humanInTheLoopMiddleware({ interruptOn: {}, engine: holdpoint });
  const held = holdAgent({
    model: "openai:gpt-5",
    tools: [],
    holdpoint: engine,
    // @ts-expect-error the decision is called approve
    interruptOn: { pay: { allowedDecisions: ["accept"] } },
  });
  return [unknown, held];
}
