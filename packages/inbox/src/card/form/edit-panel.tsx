import { createStore, problemWithEdit } from "@holdpoint/client";
import {
  type ActionView,
  type Cause,
  type Decision,
  type JsonObject,
  visibleText,
} from "@holdpoint/core";
import { useId, useRef, useState, useSyncExternalStore } from "react";
import { ChangesView } from "../changes/changes-view.tsx";
import { Control, Field } from "./field.tsx";
import { problemSentence } from "../problem-sentence.ts";
import { useCardTexts } from "../texts.ts";
import { editDecision } from "./edit-decision.ts";
import { readableProblem } from "./field-problem.ts";
import { type FormEvent, problemsWithTexts, reduceForm, startForm } from "./form-state.ts";
import { FormContext, type FormView } from "./form-view.ts";
import { schemaFromArgs } from "./object-fields.ts";
import { dotted, type Path } from "./path.ts";
import { useFormTexts } from "./texts.ts";
import "./form.css";

/** Editing: a form made from the tool's schema, then the changes, and only then sending. */
export function EditPanel(props: {
  readonly action: ActionView;
  readonly cause: Cause;
  /** An earlier edit that is taken up again. */
  readonly args: JsonObject | undefined;
  /** False when the decision is kept until all actions of the review have one. */
  readonly sendsAtOnce: boolean;
  readonly onDecide: (decision: Decision) => void;
  readonly onBack: () => void;
}) {
  const { action } = props;
  const texts = useFormTexts();
  const [form] = useState(() => createStore(reduceForm, startForm(action.args, props.args)));
  const state = useSyncExternalStore(form.subscribe, form.getSnapshot, form.getSnapshot);
  const addedRef = useRef<Path>(undefined);
  if (state.step === "form") {
    const root = action.argsSchema ?? schemaFromArgs(action.args);
    const view: FormView = { ...drawing, root, state, send, addedRef, problem: problemNow() };
    return <FormStep view={view} onBack={props.onBack} />;
  }
  const decision = editDecision(action, state.args);
  return (
    <div className="card-panel">
      <p className="card-panel-title">{texts.diffTitle}</p>
      <ChangesView before={state.original} after={state.args} schema={action.argsSchema} />
      <div className="card-buttons">
        <button
          type="button"
          className="card-button card-button-main"
          data-testid="send-edit"
          onClick={() => props.onDecide(decision)}
        >
          {decision.type === "approve" ? unchangedLabel() : changedLabel()}
        </button>
        <button
          type="button"
          className="card-button"
          data-testid="back-to-form"
          onClick={() => form.send({ type: "returned" })}
        >
          {texts.back}
        </button>
      </div>
    </div>
  );

  function send(event: FormEvent): void {
    if (event.type === "started") addedRef.current = event.path;
    form.send(event);
  }

  function problemNow() {
    return problemWithEdit(action, state.args);
  }

  function changedLabel(): string {
    return props.sendsAtOnce ? texts.sendEdit : texts.keepEdit;
  }

  function unchangedLabel(): string {
    if (!props.sendsAtOnce) return texts.keepUnchanged;
    return props.cause === "unknown_receipt" ? texts.runUnchanged : texts.sendUnchanged;
  }
}

const drawing: Pick<FormView, "drawField" | "drawControl"> = {
  drawField: (field) => <Field key={dotted(field.path)} {...field} />,
  drawControl: (control) => <Control {...control} />,
};

function FormStep({ view, onBack }: { readonly view: FormView; readonly onBack: () => void }) {
  const texts = useFormTexts();
  const id = useId();
  const { state, root, problem } = view;
  const isUnread = problemsWithTexts(state).length > 0;
  const { problems } = useCardTexts();
  const readable = problem === undefined ? undefined : readableProblem(problem);
  return (
    <div className="card-panel">
      <p className="card-panel-title" id={`${id}-label`}>
        {texts.title}
      </p>
      <FormContext value={view}>
        <Control id={id} labelId={`${id}-label`} path={[]} schema={root} value={state.args} />
      </FormContext>
      {readable !== undefined && (
        <p className="card-problem card-panel-problem" data-testid="problem">
          {visibleText(texts.problem(readable.where, problemSentence(readable.what, problems)))}
        </p>
      )}
      <div className="card-buttons">
        <button
          type="button"
          className="card-button card-button-main"
          data-testid="review-diff"
          disabled={isUnread || problem !== undefined}
          onClick={() => view.send({ type: "compared" })}
        >
          {texts.review}
        </button>
        <button type="button" className="card-button" onClick={onBack}>
          {texts.back}
        </button>
        {state.args !== state.original && (
          <button
            type="button"
            className="card-link"
            data-testid="start-over"
            onClick={() => view.send({ type: "reset" })}
          >
            {texts.startOver}
          </button>
        )}
      </div>
    </div>
  );
}
