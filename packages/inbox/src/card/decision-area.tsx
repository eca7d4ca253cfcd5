import {
  createStore,
  progressOf,
  type ReviewSession,
  type ReviewSessionState,
} from "@holdpoint/client";
import type { ActionView, Decision, DecisionType } from "@holdpoint/core";
import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import { ChosenNote } from "./chosen-note.tsx";
import { ConflictNote } from "./conflict-note.tsx";
import { DecisionButtons } from "./decision-buttons.tsx";
import { LoadGuard } from "./load-guard.tsx";
import { OutcomeNote } from "./outcome-note.tsx";
import { closedPanel, reducePanel } from "./panel-state.ts";
import { RejectPanel } from "./reject-panel.tsx";
import { RespondPanel } from "./respond-panel.tsx";
import { useCardTexts } from "./texts.ts";
import { useKeepFocus } from "./use-keep-focus.ts";
import { useShowWhole } from "./use-show-whole.ts";

const EditPanel = lazy(async () => {
  const { EditPanel: panel } = await import("./form/edit-panel.tsx");
  return { default: panel };
});

const AnswerPanel = lazy(async () => {
  const { AnswerPanel: panel } = await import("./form/answer-panel.tsx");
  return { default: panel };
});

/** Where one action is decided: buttons, then a panel, then the choice, then the outcome. */
export function DecisionArea(props: {
  readonly action: ActionView;
  readonly state: ReviewSessionState;
  readonly session: ReviewSession;
}) {
  const { action, state, session } = props;
  const texts = useCardTexts();
  const [panel] = useState(() => createStore(reducePanel, closedPanel));
  const open = useSyncExternalStore(panel.subscribe, panel.getSnapshot, panel.getSnapshot);
  const progress = progressOf(state, action);
  const keepFocus = useKeepFocus();
  useShowWhole(keepFocus.ref, open.type);
  const sendsAtOnce = state.review.actions.length === 1;
  const { cause } = state.review;

  const decide = (decision: Decision) => {
    panel.send({ type: "closed" });
    void session.choose(action.id, decision);
  };
  const back = () => panel.send({ type: "closed" });

  return (
    <div className="card-decision" {...keepFocus}>
      {content()}
    </div>
  );

  function content() {
    switch (progress.type) {
      case "settled":
        return <OutcomeNote action={action} closedBecause={state.review.closedBecause} />;
      case "lost":
        return (
          <>
            <ConflictNote conflict={progress.conflict} />
            {action.status !== "open" && <OutcomeNote action={action} closedBecause={undefined} />}
          </>
        );
      case "chosen":
        return chosen(progress.decision);
      case "open":
      case "invalid":
        return undecided();
      default:
        return progress satisfies never;
    }
  }

  function chosen(decision: Decision) {
    if (state.phase.type === "submitting") return <p className="card-muted">{texts.sending}</p>;
    return (
      <ChosenNote
        decision={decision}
        cause={cause}
        onSendAgain={sendsAtOnce ? () => void session.submit() : undefined}
        onChange={() => {
          session.withdraw(action.id);
          panel.send({ type: "reopened", decision });
        }}
      />
    );
  }

  function start(decision: DecisionType): void {
    if (decision === "approve") decide({ type: "approve" });
    else panel.send({ type: "opened", decision });
  }

  function undecided() {
    switch (open.type) {
      case "closed":
        return <DecisionButtons action={action} cause={cause} onDecide={start} />;
      case "rejecting":
        return (
          <RejectPanel
            parts={open.parts}
            cause={cause}
            sendsAtOnce={sendsAtOnce}
            onType={(part, text) => panel.send({ type: "part_typed", part, text })}
            onDecide={decide}
            onBack={back}
          />
        );
      case "responding":
        return action.answerSchema === undefined ? (
          <RespondPanel
            text={open.text}
            cause={cause}
            isQuestion={action.reasonCode === "question"}
            sendsAtOnce={sendsAtOnce}
            onType={(text) => panel.send({ type: "answer_typed", text })}
            onDecide={decide}
            onBack={back}
          />
        ) : (
          <LoadGuard fallback={texts.loadFailed}>
            <Suspense fallback={<p className="card-muted">{texts.loading}</p>}>
              <AnswerPanel
                schema={action.answerSchema}
                value={open.value}
                sendsAtOnce={sendsAtOnce}
                onDecide={decide}
                onBack={back}
              />
            </Suspense>
          </LoadGuard>
        );
      case "editing":
        return (
          <LoadGuard fallback={texts.loadFailed}>
            <Suspense fallback={<p className="card-muted">{texts.loading}</p>}>
              <EditPanel
                action={action}
                cause={cause}
                args={open.args}
                sendsAtOnce={sendsAtOnce}
                onDecide={decide}
                onBack={back}
              />
            </Suspense>
          </LoadGuard>
        );
      default:
        return open satisfies never;
    }
  }
}
