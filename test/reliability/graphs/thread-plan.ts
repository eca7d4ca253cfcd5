import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { newId } from "@holdpoint/engine";
import type { Decision } from "@holdpoint/core";
import { pick, seeded } from "../seeded.ts";

/** What happens on one thread: who runs it, and what each of its turns asks for. */
export type ThreadPlan = {
  readonly number: number;
  readonly threadId: string;
  /** By `runAgent`, as a server does, by `agent.invoke`, or begun by `invoke` and taken up by `runAgent`. */
  readonly way: (typeof ways)[number];
  /** Whether its agent asks about each call, or about a whole turn. */
  readonly mode: Mode;
  readonly turns: readonly Turn[];
};

const ways = ["both", "runAgent", "runAgent", "invoke", "runAgent", "runAgent"] as const;

/** How an agent of the harness asks; also its name. */
export type Mode = (typeof modes)[number];
export const modes = ["per_call", "batched"] as const;

/** A person's message, and the calls that the model makes after it, step by step. */
export type Turn = {
  readonly messageId: string;
  readonly steps: readonly (readonly Place[])[];
  /** The person sends the next message as soon as a call of this turn waits. */
  readonly isCut: boolean;
};

/** A call's place in its thread. `pay` is held, `look` is not. */
export type Place = {
  readonly name: "pay" | "look";
  readonly args: {
    readonly unit: number;
    readonly turn: number;
    readonly step: number;
    readonly index: number;
  };
};

/** A thread's plan is the same in every process that is given the same seed and number. */
export function planOf(seed: number, number: number): ThreadPlan {
  const random = seeded(seed, "thread", number);
  const upTo = (most: number): readonly number[] =>
    Array.from({ length: 1 + Math.floor(random() * most) }, (_, index) => index);
  const way = ways[number % ways.length] ?? "both";
  return {
    number,
    threadId: `thread_${number}`,
    way,
    mode: number % 4 < 3 ? "per_call" : "batched",
    turns: upTo(3).map((turn, _, all) => ({
      messageId: messageIdOf(number, turn),
      // A server refuses a message while a call waits.
      isCut: way !== "runAgent" && turn < all.length - 1 && random() < 0.4,
      steps: upTo(2).map((step) =>
        upTo(3).map((index) => ({
          name: isFirst({ turn, step, index }) || random() < 0.5 ? "pay" : "look",
          args: { unit: number, turn, step, index },
        })),
      ),
    })),
  };
}

/** The first call of a thread is held and approved, so that each thread comes by all that belongs to it. */
function isFirst({ turn, step, index }: Omit<Place["args"], "unit">): boolean {
  return turn + step + index === 0;
}

function messageIdOf(number: number, turn: number): string {
  return `human_${number}_${turn}`;
}

/** What a person says of a held call. */
export function decisionOn(seed: number, cause: string, args: Place["args"]): Decision {
  if (isFirst(args)) return { type: "approve" };
  const random = seeded(seed, cause, JSON.stringify(args));
  const others: readonly Decision[] =
    cause === "policy"
      ? [{ type: "edit", editedAction: { name: "pay", args: { ...args, edited: true } } }]
      : [];
  return pick<Decision>(random, [
    { type: "approve" },
    { type: "approve" },
    { type: "approve" },
    { type: "reject", message: "not now" },
    { type: "respond", message: "it is done already" },
    ...others,
  ]);
}

/** The model's next message: whatever it says has an id that was never used, so that nothing that is lost comes again. */
export function scriptOf(seed: number): (messages: readonly BaseMessage[]) => AIMessage {
  return (messages) => {
    const asked = messages.findLastIndex((message) => message.getType() === "human");
    const turn = turnOf(seed, messages[asked]?.id);
    const said = messages.slice(asked + 1).filter((message) => message.getType() === "ai");
    const calls = turn.steps[said.length];
    if (calls === undefined) return new AIMessage("done");
    return new AIMessage({
      content: "",
      tool_calls: calls.map((call) => ({ ...call, id: newId("call"), type: "tool_call" })),
    });
  };
}

function turnOf(seed: number, messageId: string | undefined): Turn {
  const [, number, index] = messageId?.split("_") ?? [];
  const turn = planOf(seed, Number(number)).turns[Number(index)];
  if (turn === undefined) throw new Error(`Nobody wrote the message ${messageId}.`);
  return turn;
}
