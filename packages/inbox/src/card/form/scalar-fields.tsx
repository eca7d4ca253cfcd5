import { type Json, hasHiddenCharacters, sameJson, visibleText } from "@holdpoint/core";
import { useState } from "react";
import { ArgumentValue } from "../arguments/argument-value.tsx";
import { ExactText } from "../arguments/exact-text.tsx";
import { HiddenWarning } from "../arguments/hidden-warning.tsx";
import { typedAt } from "./form-state.ts";
import { type ControlProps, problemId, useForm } from "./form-view.ts";
import { afterTyping, asTextArea } from "./line-endings.ts";
import { dotted } from "./path.ts";
import { useFormTexts } from "./texts.ts";
import { type TypedAs, typedText } from "./typed-value.ts";

/** Above this a text gets an area instead of a line; in UTF-16 units. */
const lineLimit = 80;

/** A text; with lines or long, in an area. What is hidden in it is shown below. */
export function TextField({ id, path, value }: ControlProps) {
  const { send } = useForm();
  const text = typeof value === "string" ? value : "";
  // Decided once: a control that changes its kind while somebody types in it would lose the cursor.
  const [isLong] = useState(text.length > lineLimit || /[\r\n]/.test(text));
  const set = (typed: string) => send({ type: "set", path, value: afterTyping(text, typed) });
  const shared = {
    id,
    className: "card-input",
    "data-testid": `field:${dotted(path)}`,
    "aria-describedby": problemId(id),
    value: asTextArea(text),
    spellCheck: false,
  };
  return (
    <>
      {isLong ? (
        <textarea {...shared} rows={4} onChange={(event) => set(event.target.value)} />
      ) : (
        <input {...shared} type="text" onChange={(event) => set(event.target.value)} />
      )}
      {hasHiddenCharacters(text) && (
        <div className="card-text-body card-preview">
          <HiddenWarning text={text} />
          <ExactText text={text} />
        </div>
      )}
    </>
  );
}

/** A number or JSON, typed as text: what does not spell a value stays as typed and is not sent. */
export function TypedField({ as, ...props }: ControlProps & { readonly as: TypedAs }) {
  const { state, send } = useForm();
  const { id, path, value } = props;
  const shared = {
    id,
    className: "card-input card-mono",
    "data-testid": `field:${dotted(path)}`,
    "aria-describedby": problemId(id),
    value: typedAt(state, path)?.text ?? typedText(value, as),
    spellCheck: false,
    autoComplete: "off",
  };
  const type = (text: string) => send({ type: "typed", path, text, as });
  return as === "json" ? (
    <textarea
      {...shared}
      rows={Math.min(12, shared.value.split("\n").length + 1)}
      onChange={(event) => type(event.target.value)}
    />
  ) : (
    <input
      {...shared}
      type="text"
      inputMode={as === "integer" ? "numeric" : "decimal"}
      onChange={(event) => type(event.target.value)}
    />
  );
}

/** True or false. */
export function SwitchField({ id, path, value }: ControlProps) {
  const { send } = useForm();
  return (
    <span className="card-switch">
      <input
        id={id}
        type="checkbox"
        data-testid={`field:${dotted(path)}`}
        aria-describedby={problemId(id)}
        checked={value === true}
        onChange={(event) => send({ type: "set", path, value: event.target.checked })}
      />
      <code>{value === true ? "true" : "false"}</code>
    </span>
  );
}

/** One of certain values; one that is not among them is shown and can only be left. */
export function ChoiceField(
  props: ControlProps & {
    readonly options: readonly Json[];
    readonly titles: readonly (string | undefined)[];
  },
) {
  const { send } = useForm();
  const texts = useFormTexts();
  const { id, path, value, options, titles } = props;
  const picked = options.findIndex((option) => sameJson(option, value));
  return (
    <select
      id={id}
      className="card-input"
      data-testid={`field:${dotted(path)}`}
      aria-describedby={problemId(id)}
      value={picked}
      onChange={(event) => {
        const option = options[Number(event.target.value)];
        if (option !== undefined) send({ type: "set", path, value: option });
      }}
    >
      {picked === -1 && (
        <option value={-1} disabled>
          {value === null ? texts.choose : texts.notOffered(optionText(value))}
        </option>
      )}
      {options.map((option, index) => (
        <option key={index} value={index}>
          {titledOption(option, titles[index])}
        </option>
      ))}
    </select>
  );
}

/** A value that the schema fixes. */
export function ConstantField({ id, labelId, path, value }: ControlProps) {
  return (
    <div id={id} role="group" aria-labelledby={labelId} data-testid={`field:${dotted(path)}`}>
      <ArgumentValue value={value} />
    </div>
  );
}

/** The value itself stays in sight beside what it is called. */
function titledOption(option: Json, title: string | undefined): string {
  const text = optionText(option);
  return title === undefined || title === text ? text : `${visibleText(title)} (${text})`;
}

function optionText(option: Json): string {
  return visibleText(typeof option === "string" ? option : JSON.stringify(option));
}
