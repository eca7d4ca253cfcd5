// What a LangChain user writes today, the examples of its documentation among it. The test beside this
// file compiles it with each import from "@holdpoint/langchain" replaced by "langchain", and as it is.
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  type AnyAgentMiddleware,
  createAgent,
  createMiddleware,
  type Interrupt,
  type Runtime,
  type ToolCallRequest,
  tool,
} from "langchain";
import {
  type Action,
  type ActionRequest,
  type ApproveDecision,
  type Decision,
  type DecisionType,
  type DescriptionFactory,
  type EditDecision,
  type HITLRequest,
  type HITLResponse,
  humanInTheLoopMiddleware,
  type HumanInTheLoopMiddlewareConfig,
  type InterruptOnConfig,
  type RejectDecision,
  type ReviewConfig,
  type WhenPredicate,
} from "@holdpoint/langchain";
import { z } from "zod";

const writeFile = tool(async ({ path }: { path: string }) => `wrote ${path}`, {
  name: "write_file",
  description: "writes",
  schema: z.object({ path: z.string(), text: z.string() }),
});

const inEtc: WhenPredicate = (request) =>
  String(request.toolCall.args["path"] ?? "").startsWith("/etc");
const later: WhenPredicate = async ({ toolCall, state, runtime, tool: known }) =>
  known === undefined &&
  state.messages.length > 3 &&
  runtime.configurable?.thread_id !== "t" &&
  toolCall.args.path.length > 5;
const typedByHand = (request: ToolCallRequest) => request.toolCall.name === "write_file";

const format: DescriptionFactory = (toolCall, state, runtime) =>
  `${toolCall.name}(${JSON.stringify(toolCall.args)}) after ${state.messages.length}, ${runtime.configurable?.thread_id}`;
const formatLater = async (
  call: { name: string; args: Record<string, unknown> },
  state: unknown,
  runtime: Runtime<unknown>,
) => `Review ${call.name} of ${typeof state}, ${runtime.signal?.aborted}`;

const decisions: DecisionType[] = ["approve", "edit", "reject"];
const config: InterruptOnConfig = {
  allowedDecisions: decisions,
  description: format,
  argsSchema: { type: "object", properties: { path: { type: "string", enum: ["a", "b"] } } },
  when: inEtc,
};
const options: HumanInTheLoopMiddlewareConfig = {
  interruptOn: {
    write_file: config,
    read_file: false,
    delete_file: true,
    send: { allowedDecisions: ["approve"], description: "Sends", when: later },
    post: { allowedDecisions: ["approve", "reject"], description: formatLater, when: typedByHand },
    maybe: { allowedDecisions: ["reject"], description: undefined, when: undefined },
    inline: {
      allowedDecisions: ["approve"],
      description: ({ args }) => `to ${args.recipient}`,
      when: ({ toolCall }) => toolCall.args.amount > 100,
    },
  },
  descriptionPrefix: "A person has to agree",
};

const audit = createMiddleware({
  name: "audit",
  stateSchema: z.object({ count: z.number().default(0) }),
  contextSchema: z.object({ userId: z.string() }),
});

/** The middleware wherever LangChain takes one. */
export function agents() {
  const gate = humanInTheLoopMiddleware(options);
  const list: AgentMiddleware[] = [gate, audit];
  const wide: AnyAgentMiddleware = gate;
  const either = Math.random() > 0.5 ? [gate] : [];
  return [
    createAgent({ model: "openai:gpt-5", middleware: [gate] }),
    createAgent({ model: "openai:gpt-5", tools: [writeFile], middleware: [audit, gate] as const }),
    createAgent({ model: "openai:gpt-5", tools: [writeFile], middleware: list }),
    createAgent({ model: "openai:gpt-5", tools: [], middleware: [wide, ...either] }),
    createAgent({
      model: "openai:gpt-5",
      tools: [],
      contextSchema: z.object({ userId: z.string() }),
      responseFormat: z.object({ answer: z.string() }),
      checkpointer: new MemorySaver(),
      middleware: [humanInTheLoopMiddleware({})],
    }),
  ];
}

/** A pause and its answers. */
export async function conversation() {
  const agent = createAgent({
    model: "openai:gpt-5",
    tools: [writeFile],
    middleware: [audit, humanInTheLoopMiddleware({ interruptOn: { write_file: true } })],
    checkpointer: new MemorySaver(),
  });
  const thread = { configurable: { thread_id: "t" }, context: { userId: "anna" } };
  const paused = await agent.invoke({ messages: [{ role: "user", content: "go" }] }, thread);
  // As upstream's documentation does; LangGraph types an interrupt's value as unknown.
  const [interrupt] = paused.__interrupt__ as Interrupt<HITLRequest>[];
  const request = interrupt?.value;
  const first: ActionRequest | undefined = request?.actionRequests[0];
  const review: ReviewConfig | undefined = request?.reviewConfigs[0];
  const path: string = first?.args.path.trim() ?? first?.description ?? review?.actionName ?? "";
  const action: Action = { name: "write_file", args: { path, text: "x" } };
  const edit: EditDecision = { type: "edit", editedAction: action };
  const approve: ApproveDecision = { type: "approve" };
  const reject: RejectDecision = { type: "reject", message: "no" };
  const each: Decision[] = [edit, approve, reject];
  const response: HITLResponse = { decisions: each };
  response.decisions.push({ type: "reject" });
  const chosen = each.map((decision) => {
    if (decision.type === "edit") return decision.editedAction.args.path.trim();
    return decision.type === "reject" ? (decision.message ?? "") : decision.type;
  });
  const done = await agent.invoke(new Command({ resume: response }), {
    ...thread,
    context: { ...thread.context, interruptOn: { write_file: config }, descriptionPrefix: "Now" },
  });
  const count: number = done.count;
  return [chosen, count, done.messages.at(-1)?.text, await agent.graph.getState(thread)];
}

/** A request made by hand, as tests of user interfaces do. */
export const sample: HITLRequest = {
  actionRequests: [{ name: "send_email", args: { to: "user@example.com", subject: "Hello" } }],
  reviewConfigs: [{ actionName: "send_email", allowedDecisions: ["approve", "edit", "reject"] }],
};
