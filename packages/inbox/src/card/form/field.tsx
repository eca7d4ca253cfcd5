import { useEffect, useId, useRef } from "react";
import { ExactText } from "../arguments/exact-text.tsx";
import { problemSentence } from "../problem-sentence.ts";
import { useCardTexts } from "../texts.ts";
import { NullableField, UnionField } from "./branch-fields.tsx";
import { ListField, ObjectField } from "./container-fields.tsx";
import { problemPath, readableProblem } from "./field-problem.ts";
import { type FieldShape, shapeOf } from "./field-shape.ts";
import { problemsWithTexts, typedAt } from "./form-state.ts";
import { type ControlProps, type FieldProps, problemId, useForm } from "./form-view.ts";
import { samePath, valueAt } from "./path.ts";
import { resolveSchema, titled } from "./resolve-schema.ts";
import {
  ChoiceField,
  ConstantField,
  SwitchField,
  TextField,
  TypedField,
} from "./scalar-fields.tsx";
import { useFormTexts } from "./texts.ts";

/** One part of the arguments with its label, description, buttons and problem. */
export function Field({ path, schema, label, isOptional = false, buttons }: FieldProps) {
  const { root, state, addedRef, drawControl, usesTitles = false } = useForm();
  const texts = useFormTexts();
  const frame = useRef<HTMLDivElement>(null);
  const id = useId();
  const value = valueAt(state.args, path);

  useEffect(() => {
    if (addedRef.current === undefined || !samePath(addedRef.current, path)) return;
    addedRef.current = undefined;
    firstControl(frame.current)?.focus();
  });

  if (value === undefined) return null;
  const { description } = resolveSchema(schema, root);
  const labelId = `${id}-label`;
  const Label = isOneControl(shapeOf(schema, value, root)) ? "label" : "span";
  return (
    <div className="card-field" ref={frame}>
      <div className="card-field-head">
        <Label id={labelId} className="card-key" {...(Label === "label" ? { htmlFor: id } : {})}>
          <ExactText text={usesTitles ? titled(label, schema, root) : label} />
        </Label>
        {isOptional && <span className="card-muted">{texts.optional}</span>}
        {buttons}
      </div>
      {typeof description === "string" && (
        <p className="card-hint">
          <ExactText text={description} />
        </p>
      )}
      {drawControl({ id, labelId, path, schema, value })}
      <FieldProblem id={problemId(id)} path={path} schema={schema} />
    </div>
  );
}

/** What is filled in comes before what a field can only be removed with. */
function firstControl(field: HTMLElement | null): HTMLElement | null {
  return (
    field?.querySelector<HTMLElement>("input, select, textarea") ??
    field?.querySelector<HTMLElement>("button") ??
    null
  );
}

/** The control for a value under a schema. */
export function Control(props: ControlProps) {
  const { root, state } = useForm();
  // What is being typed as JSON stays JSON until somebody leaves it, also when it fits by now.
  if (typedAt(state, props.path)?.as === "json") return <TypedField {...props} as="json" />;
  const shape = shapeOf(props.schema, props.value, root);
  switch (shape.type) {
    case "text":
      return <TextField {...props} />;
    case "number":
      return <TypedField {...props} as={shape.integer ? "integer" : "number"} />;
    case "switch":
      return <SwitchField {...props} />;
    case "choice":
      return <ChoiceField {...props} options={shape.options} titles={shape.titles ?? []} />;
    case "constant":
      return <ConstantField {...props} />;
    case "nullable":
      return <NullableField {...props} inner={shape.inner} />;
    case "union":
      return <UnionField {...props} branches={shape.branches} picked={shape.picked} />;
    case "object":
      return <ObjectField {...props} shape={shape.schema} />;
    case "list":
      return <ListField {...props} shape={shape.schema} />;
    case "json":
      return <TypedField {...props} as="json" />;
    default:
      return shape satisfies never;
  }
}

/** What is wrong with one field; the line is there before it is needed, so that it is read out. */
function FieldProblem(props: Pick<FieldProps, "path" | "schema"> & { readonly id: string }) {
  const { id, path } = props;
  const { root, state, problem } = useForm();
  const texts = useFormTexts();
  const { problems } = useCardTexts();
  const typing = problemsWithTexts(state).find((one) => samePath(one.path, path));
  const schema = resolveSchema(props.schema, root);
  const isHere = problem !== undefined && problem.path === problemPath(path);
  return (
    <p id={id} className="card-field-problem" aria-live="polite">
      {typing !== undefined && texts.typing[typing.problem]}
      {typing === undefined && isHere && (
        <ExactText text={problemSentence(readableProblem(problem).what, problems, schema)} />
      )}
    </p>
  );
}

function isOneControl(shape: FieldShape): boolean {
  switch (shape.type) {
    case "text":
    case "number":
    case "switch":
    case "choice":
    case "json":
      return true;
    case "constant":
    case "nullable":
    case "union":
    case "object":
    case "list":
      return false;
    default:
      return shape satisfies never;
  }
}
