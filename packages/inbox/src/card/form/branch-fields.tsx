import type { JsonObject } from "@holdpoint/core";
import { useState } from "react";
import { fits } from "./branches.ts";
import { type ControlProps, useForm } from "./form-view.ts";
import { dotted, isObject } from "./path.ts";
import { startingValue } from "./starting-value.ts";
import { type FormTexts, useFormTexts } from "./texts.ts";

/** A value or nothing. */
export function NullableField(props: ControlProps & { readonly inner: JsonObject }) {
  const { root, send, drawControl } = useForm();
  const texts = useFormTexts();
  const { inner, ...control } = props;
  const { id, labelId, path, value } = control;
  if (value !== null) {
    return (
      <>
        {drawControl({ ...control, schema: inner })}
        <button
          type="button"
          className="card-link"
          data-testid={`set-null:${dotted(path)}`}
          onClick={() => send({ type: "set", path, value: null })}
        >
          {texts.setNothing}
        </button>
      </>
    );
  }
  return (
    <div id={id} role="group" aria-labelledby={labelId} className="card-inline">
      <span className="card-muted" data-testid={`field:${dotted(path)}`}>
        {texts.nothing}
      </span>
      <button
        type="button"
        className="card-link"
        data-testid={`set-value:${dotted(path)}`}
        onClick={() => send({ type: "started", path, start: startingValue(inner, root) })}
      >
        {texts.setValue}
      </button>
    </div>
  );
}

/** One of several forms. The one that the value fits is open; another begins with a value of its own. */
export function UnionField(
  props: ControlProps & { readonly branches: readonly JsonObject[]; readonly picked: number },
) {
  const { root, send, drawControl } = useForm();
  const texts = useFormTexts();
  const { branches, picked, ...control } = props;
  const { labelId, path, value } = control;
  // A value may fit several branches on the way; the one being worked in stays while it fits.
  const [chosen, setChosen] = useState(picked);
  const held = branches[chosen];
  const current = held !== undefined && fits(held, value, root) ? chosen : picked;
  return (
    <>
      <select
        className="card-input card-branch"
        data-testid={`branch:${dotted(path)}`}
        aria-label={texts.kind}
        aria-describedby={labelId}
        value={current}
        onChange={(event) => {
          const next = Number(event.target.value);
          setChosen(next);
          send({ type: "started", path, start: startingValue(branches[next], root) });
        }}
      >
        {current === -1 && (
          <option value={-1} disabled>
            {texts.json}
          </option>
        )}
        {branches.map((branch, index) => (
          <option key={index} value={index}>
            {branchName(branch, index, texts)}
          </option>
        ))}
      </select>
      {drawControl({ ...control, schema: branches[current] ?? { not: {} } })}
    </>
  );
}

/** A title, else the constant that tells the branch from the others, else its type. */
function branchName(branch: JsonObject, index: number, texts: FormTexts): string {
  const { title, type, properties } = branch;
  if (typeof title === "string") return title;
  const constants = Object.values(isObject(properties) ? properties : {}).flatMap((property) =>
    isObject(property) && typeof property["const"] === "string" ? [property["const"]] : [],
  );
  if (constants.length > 0) return constants.join(" · ");
  const name = typeof type === "string" ? texts.branchTypes[type] : undefined;
  return name ?? texts.branch(index + 1);
}
