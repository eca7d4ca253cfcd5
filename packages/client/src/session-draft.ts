import { type NamedDecision, namedDecisionSchema, type ReviewId } from "@holdpoint/core";
import type { ReviewSessionState } from "./session-state.ts";

/** What a session leaves behind for a page that is reloaded: the choices that were not sent. v1. */
export type SessionDraft = {
  readonly version: 1;
  readonly decisions: readonly NamedDecision[];
};

/** Where drafts are kept, by review; `undefined` removes one. Neither may throw. */
export type DraftStorage = {
  readonly load: (id: ReviewId) => unknown;
  readonly save: (id: ReviewId, draft: SessionDraft | undefined) => void;
};

/** The draft to keep for a state; `undefined` when nothing is chosen. */
export function draftOf(state: ReviewSessionState): SessionDraft | undefined {
  const decisions = [...state.progress].flatMap(([actionId, progress]): NamedDecision[] =>
    progress.type === "chosen" ? [{ actionId, decision: progress.decision }] : [],
  );
  return decisions.length === 0 ? undefined : { version: 1, decisions };
}

/** Reads a stored draft; what cannot be understood is left out. */
export function readDraft(value: unknown): NamedDecision[] {
  if (typeof value !== "object" || value === null) return [];
  if (!("version" in value) || value.version !== 1) return [];
  if (!("decisions" in value) || !Array.isArray(value.decisions)) return [];
  return value.decisions.flatMap((entry: unknown) => {
    const read = namedDecisionSchema.safeParse(entry);
    return read.success ? [read.data] : [];
  });
}
