import { createStore } from "@holdpoint/client";
import {
  type ArgsProblem,
  type Decision,
  type Json,
  type JsonObject,
  problemWithArgs,
  visibleText,
} from "@holdpoint/core";
import { useId, useRef, useState, useSyncExternalStore } from "react";
import { problemSentence } from "../problem-sentence.ts";
import { useCardTexts } from "../texts.ts";
import { answerForm } from "./answer-form.ts";
import { Control, Field } from "./field.tsx";
import { readableProblem } from "./field-problem.ts";
import { type FormEvent, problemsWithTexts, reduceForm } from "./form-state.ts";
import { FormContext, type FormView } from "./form-view.ts";
import { dotted, type Path } from "./path.ts";
import { useFormTexts } from "./texts.ts";
import "./form.css";

/** Answering a tool's question with a form made from its fields; what does not fit cannot be sent. */
export function AnswerPanel(props: {
  /** The JSON Schema of the answer. */
  readonly schema: JsonObject;
  /** An earlier answer that is taken up again. */
  readonly value: Json | undefined;
  /** False when the decision is kept until all actions of the review have one. */
  readonly sendsAtOnce: boolean;
  readonly onDecide: (decision: Decision) => void;
  readonly onBack: () => void;
}) {
  const texts = useCardTexts();
  const formTexts = useFormTexts();
  const id = useId();
  const [{ root, start, answerOf }] = useState(() => answerForm(props.schema, props.value));
  const [form] = useState(() => createStore(reduceForm, start));
  const state = useSyncExternalStore(form.subscribe, form.getSnapshot, form.getSnapshot);
  const addedRef = useRef<Path>(undefined);
  const problem = problemNow();
  const readable = problem === undefined ? undefined : readableProblem(problem);
  const view: FormView = { ...drawing, root, state, send, addedRef, problem, usesTitles: true };
  return (
    <div className="card-panel">
      <p className="card-panel-title" id={`${id}-label`}>
        {texts.answerTitle}
      </p>
      <FormContext value={view}>
        <Control id={id} labelId={`${id}-label`} path={[]} schema={root} value={state.args} />
      </FormContext>
      {readable !== undefined && (
        <p className="card-problem card-panel-problem" data-testid="problem">
          {visibleText(
            formTexts.problem(readable.where, problemSentence(readable.what, texts.problems)),
          )}
        </p>
      )}
      <p className="card-hint">{texts.answerNote}</p>
      <div className="card-buttons">
        <button
          type="button"
          className="card-button card-button-main"
          data-testid="send-respond"
          disabled={problem !== undefined || problemsWithTexts(state).length > 0}
          onClick={() => props.onDecide({ type: "respond", value: answerOf(state.args) })}
        >
          {props.sendsAtOnce ? texts.sendRespond : texts.keepRespond}
        </button>
        <button type="button" className="card-button" onClick={props.onBack}>
          {texts.back}
        </button>
      </div>
    </div>
  );

  function send(event: FormEvent): void {
    if (event.type === "started") addedRef.current = event.path;
    form.send(event);
  }

  function problemNow(): ArgsProblem | undefined {
    return problemWithArgs(root, state.args);
  }
}

const drawing: Pick<FormView, "drawField" | "drawControl"> = {
  drawField: (field) => <Field key={dotted(field.path)} {...field} />,
  drawControl: (control) => <Control {...control} />,
};
