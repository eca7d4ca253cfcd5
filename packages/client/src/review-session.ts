import type { ActionId, Decision, NamedDecision, ReviewView } from "@holdpoint/core";
import type { SubmitResult } from "./reply.ts";
import { type DraftStorage, draftOf, readDraft } from "./session-draft.ts";
import { reduceSession } from "./session-reducer.ts";
import { decisionsToSend, type ReviewSessionState, startSession } from "./session-state.ts";
import { createStore } from "./store.ts";

/** Sends the decisions of one review. */
export type Submit = (decisions: NamedDecision[]) => Promise<SubmitResult>;

/** One reviewer at work on one review: a store without a framework. */
export type ReviewSession = {
  readonly getSnapshot: () => ReviewSessionState;
  readonly subscribe: (listener: () => void) => () => void;
  /** Chooses a decision for an action; a review with a single action is then sent at once. */
  readonly choose: (actionId: ActionId, decision: Decision) => Promise<void>;
  /** Takes a choice back that was not sent yet. */
  readonly withdraw: (actionId: ActionId) => void;
  /** Sends all choices together; does nothing while one is missing or a sending is under way. */
  readonly submit: () => Promise<void>;
  /** Takes in a fresher reading of the review. */
  readonly update: (review: ReviewView) => void;
};

/** Opens a session; `drafts` makes choices survive a reload of the page. */
export function createReviewSession(
  review: ReviewView,
  submit: Submit,
  drafts?: DraftStorage,
): ReviewSession {
  const { getSnapshot, subscribe, send } = createStore(reduceSession, startSession(review));
  if (drafts !== undefined) keepDrafts(drafts);

  function keepDrafts(storage: DraftStorage): void {
    send({ type: "restored", decisions: readDraft(storage.load(review.id)) });
    let progress = getSnapshot().progress;
    subscribe(() => {
      const state = getSnapshot();
      if (state.progress === progress) return;
      progress = state.progress;
      storage.save(review.id, draftOf(state));
    });
  }

  async function submitAll(): Promise<void> {
    const decisions = decisionsToSend(getSnapshot());
    if (decisions === undefined || getSnapshot().phase.type === "submitting") return;
    send({ type: "submitted" });
    try {
      send({ type: "answered", result: await submit(decisions) });
    } catch (error) {
      send({ type: "answered", result: { type: "unreachable" } }); // never leaves a reviewer waiting
      throw error;
    }
  }

  return {
    getSnapshot,
    subscribe,
    choose: async (actionId, decision) => {
      send({ type: "chosen", actionId, decision });
      const { review: current, progress } = getSnapshot();
      const isChosen = progress.get(actionId)?.type === "chosen";
      if (current.actions.length === 1 && isChosen) await submitAll();
    },
    withdraw: (actionId) => send({ type: "withdrawn", actionId }),
    submit: submitAll,
    update: (fresher) => {
      if (fresher.id !== review.id) {
        throw new TypeError(`The session is for ${review.id}; open another one for ${fresher.id}.`);
      }
      send({ type: "refreshed", review: fresher });
    },
  };
}
