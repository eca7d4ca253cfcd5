import { type Holdpoint, HoldpointError, readAnswer } from "@holdpoint/core";
import { bindGate } from "../gate/bound-gate.ts";
import { gateOf } from "../gate/gate-of.ts";
import { resumer } from "../pause/resumer.ts";
import { recordedVote } from "../pause/pause.ts";
import { recordOf } from "../record/record-of.ts";
import { type AnyGraph, graphOf, type HostedAgent } from "./hosted-agent.ts";
import { pendingInterrupts } from "./thread-state.ts";

/** The config of a run, as far as it names the thread. */
export type ThreadConfig = {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
};

const interruptId = /^[0-9a-f]{32}$/;

/**
 * Throws when a resume cannot reach what it is meant for, where LangGraph would say nothing:
 * `thread_not_found`, `review_closed` when nothing waits or it was withdrawn, `already_decided` when
 * somebody decided otherwise before, `decision_invalid` for an id that names nothing, or for a bare
 * value while several wait. An answer that repeats what is recorded passes.
 */
export async function checkResume(
  agent: HostedAgent,
  config: ThreadConfig,
  resume: unknown,
): Promise<void> {
  const graph = graphOf(agent);
  const threadId = config.configurable?.["thread_id"];
  if (typeof threadId !== "string")
    throw new HoldpointError("config_invalid", "A resume needs configurable.thread_id.");
  const snapshot = await graph.getState({ configurable: { thread_id: threadId } });
  if (snapshot.createdAt === undefined) {
    const message = `There is no thread ${threadId}, so nothing waits on it; start it with a message first.`;
    throw new HoldpointError("thread_not_found", message, { details: { threadId } });
  }
  const pending = pendingInterrupts(snapshot).map(({ id }) => id);
  const holdpoint = holdpointOf(agent, graph);
  const named = namedIn(resume);
  if (named === undefined) return checkBare(threadId, pending);
  for (const [id, answer] of named) {
    if (!pending.includes(id)) await checkSettled(holdpoint, { threadId, pending, id, answer });
  }
}

/** A resume value by interrupt id, as LangGraph reads it; anything else is one value for whatever waits. */
function namedIn(resume: unknown): ReadonlyMap<string, unknown> | undefined {
  if (typeof resume !== "object" || resume === null) return undefined;
  const entries = Object.entries(resume);
  const isMap = entries.length > 0 && entries.every(([key]) => interruptId.test(key));
  return isMap ? new Map<string, unknown>(entries) : undefined;
}

function holdpointOf(agent: HostedAgent, graph: AnyGraph): Holdpoint {
  const saver = typeof graph.checkpointer === "object" ? graph.checkpointer : undefined;
  const gate = gateOf(agent);
  return gate === undefined ? recordOf(saver ?? graph) : bindGate(gate, saver).holdpoint;
}

function checkBare(threadId: string, pending: readonly string[]): void {
  if (pending.length === 1) return;
  if (pending.length === 0) {
    const message = `Nothing waits for an answer on thread ${threadId}: it was decided or withdrawn before.`;
    throw new HoldpointError("review_closed", message, { details: { threadId } });
  }
  throw new HoldpointError(
    "decision_invalid",
    `Several reviews wait on thread ${threadId}, so a bare resume value answers none of them; resume each by its interrupt id: ${pending.join(", ")}.`,
    { details: { threadId, interruptIds: [...pending] } },
  );
}

async function checkSettled(
  holdpoint: Holdpoint,
  about: {
    readonly threadId: string;
    readonly pending: readonly string[];
    readonly id: string;
    readonly answer: unknown;
  },
): Promise<void> {
  const { threadId, pending, id, answer } = about;
  const review = await holdpoint.findReviewOfInterrupt(threadId, id);
  if (review === undefined) {
    const message = `No review waits under interrupt ${id}; what waits on thread ${threadId}: ${pending.join(", ") || "nothing"}.`;
    const details = { threadId, interruptIds: [...pending] };
    throw new HoldpointError("decision_invalid", message, { details });
  }
  if (typeof answer === "object" && answer !== null && "holdpoint" in answer) {
    if (answer.holdpoint === recordedVote.holdpoint) return;
  }
  const read = readAnswer(review, answer, { mayBeBare: true });
  const result =
    read.type === "refused"
      ? read
      : await holdpoint.decide({
          reviewId: review.id,
          decisions: read.decisions,
          reviewer: resumer,
        });
  if (result.type === "recorded") return;
  const { code, message, details } = result.refusal;
  throw new HoldpointError(code, message, details === undefined ? {} : { details });
}
