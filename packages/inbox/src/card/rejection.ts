import { type Decision, rejectionReason } from "@holdpoint/core";
import type { Language } from "../language/language.ts";

/** The parts of a rejection as typed; empty means not given. */
export type RejectionParts = {
  readonly because: string;
  readonly instead: string;
  readonly bounds: string;
};

/** A part of a rejection. */
export type RejectionPart = keyof RejectionParts;

/** The parts in the order in which they make a sentence. */
export const rejectionParts = ["because", "instead", "bounds"] as const;

/** Longest part, so that all three and the words around them stay within what a message may be. */
export const partLimit = 3000;

/** Nothing given yet. */
export const noReason: RejectionParts = { because: "", instead: "", bounds: "" };

type Sentence = { readonly [part in RejectionPart]: (text: string) => string } & {
  readonly between: string;
};

const sentences: Record<Language, Sentence> = {
  en: {
    because: (text) => `No, because ${text}.`,
    instead: (text) => `Instead: ${text}.`,
    bounds: (text) => `Within these bounds: ${text}.`,
    between: " ",
  },
  "zh-CN": {
    because: (text) => `不行，因为${text}。`,
    instead: (text) => `改为：${text}。`,
    bounds: (text) => `限制：${text}。`,
    between: "",
  },
};

/** True when at least one part is given; only then may the agent try again differently. */
export function hasReason(parts: RejectionParts): boolean {
  return rejectionParts.some((part) => trimmed(parts[part]) !== "");
}

/** The rejection to send: what was given, and the same as a message in the reviewer's language. */
export function rejectionDecision(
  parts: RejectionParts,
  language: Language,
): Extract<Decision, { type: "reject" }> {
  const given = rejectionParts.flatMap((part) => {
    const text = trimmed(parts[part]);
    return text === "" ? [] : [[part, text] as const];
  });
  if (given.length === 0) return { type: "reject" };
  const sentence = sentences[language];
  return {
    type: "reject",
    message: given.map(([part, text]) => sentence[part](text)).join(sentence.between),
    rejection: Object.fromEntries(given),
  };
}

/** The parts of a rejection that is taken up again. */
export function partsOf(decision: Extract<Decision, { type: "reject" }>): RejectionParts {
  const given = Object.entries(decision.rejection ?? {}).filter(([, text]) => text !== undefined);
  const parts: RejectionParts = { ...noReason, ...Object.fromEntries(given) };
  return hasReason(parts)
    ? parts
    : { ...noReason, because: rejectionReason(rejectedBy(decision)) ?? "" };
}

function rejectedBy({ message }: Extract<Decision, { type: "reject" }>) {
  return message === undefined
    ? ({ type: "rejected" } as const)
    : ({ type: "rejected", message } as const);
}

/** Without the full stop that the sentence brings itself. */
function trimmed(text: string): string {
  return text
    .trim()
    .replace(/[.。]$/u, "")
    .trim();
}
