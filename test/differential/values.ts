import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { pick, seeded } from "../reliability/seeded.ts";

// Left out, because MemorySaver itself gives back something else without a word: NaN, Infinity and -0 (null and 0),
// Date (a text), classes and symbols (plain objects, nothing), an Error's name, objects with a key `lc`; in a
// message also undefined, Map and Set, and what was set on it under a name that it was not made with.

/** Draws numbers from 0 up to 1. */
export type Random = () => number;

/** The draws of one action at one of its visits. */
export function draws(draw: number, visit: number): Random {
  return seeded(draw, visit);
}

/** A whole number below `end`. */
export function below(random: Random, end: number): number {
  return Math.floor(random() * end);
}

const keys = ["a", "b", "ünïcode", "0", "nested", "list"];
const words = ["", "yes", "two words", "\ud83d\ude80 emoji", '"quoted"\n', "\u0000", "half \ud800"];

/** A text; one of ten is so long that it is stored apart. */
export function text(random: Random): string {
  if (random() > 0.1) return `${pick(random, words)}${below(random, 1000)}`;
  return `${below(random, 4)}-${"long text ".repeat(110 + below(random, 40))}`;
}

/** JSON, as it may stand in a message. */
export function json(random: Random, depth = 2): unknown {
  const kind = depth === 0 ? below(random, 4) : below(random, 7);
  switch (kind) {
    case 0:
      return text(random);
    case 1:
      return below(random, 100) / 4;
    case 2:
      return random() < 0.5;
    case 3:
      return null;
    case 4:
      return Array.from({ length: below(random, 4) }, () => json(random, depth - 1));
    default:
      return record(random, () => json(random, depth - 1));
  }
}

/** Any value of the state that MemorySaver gives back as it is. */
export function anyValue(random: Random, depth = 2): unknown {
  switch (below(random, depth === 0 ? 3 : 12)) {
    case 0:
      return undefined;
    case 1:
      return new Map([[text(random), depth === 0 ? 1 : anyValue(random, depth - 1)]]);
    case 2:
      return new Set([text(random), below(random, 10)]);
    case 3:
      return /a+b/giu;
    case 4:
      return message(random, `v${below(random, 1000)}`);
    case 5:
      return Array.from({ length: below(random, 14) }, () => anyValue(random, depth - 1));
    case 6:
      return { bytes: new Uint8Array([1, 2, below(random, 256)]) };
    case 7:
      return record(random, () => anyValue(random, depth - 1));
    default:
      return json(random, depth);
  }
}

/** A plain object with a few of the keys. */
export function record(random: Random, one: () => unknown): Record<string, unknown> {
  const length = 1 + below(random, 3);
  return Object.fromEntries(Array.from({ length }, () => [pick(random, keys), one()]));
}

/** A message of any class, with its deep parts filled. */
export function message(random: Random, id: string): BaseMessage {
  const extra = {
    id,
    additional_kwargs: random() < 0.5 ? record(random, () => json(random, 2)) : {},
    response_metadata: random() < 0.3 ? record(random, () => json(random, 1)) : {},
  };
  switch (below(random, 5)) {
    case 0:
      return new HumanMessage({ ...extra, content: text(random), name: "anna" });
    case 1:
      return new SystemMessage({ ...extra, content: text(random) });
    case 2:
      return new ToolMessage({
        ...extra,
        content: text(random),
        tool_call_id: `call_${id}`,
        ...(random() < 0.5 ? { artifact: json(random), status: "error" as const } : {}),
      });
    case 3:
      return new HumanMessage({
        ...extra,
        content: [
          { type: "text", text: text(random) },
          { type: "custom", deep: json(random) },
        ] as never, // a provider's own block
      });
    default:
      return new AIMessage({
        ...extra,
        content: text(random),
        tool_calls: Array.from({ length: below(random, 3) }, (_, index) => ({
          name: "pay",
          args: record(random, () => json(random)),
          id: `call_${id}_${index}`,
          type: "tool_call" as const,
        })),
      });
  }
}
