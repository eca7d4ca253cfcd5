import { type Json, type JsonObject, visibleText } from "@holdpoint/core";
import { useState } from "react";
import { ArgumentValue } from "../arguments/argument-value.tsx";
import { ExactText } from "../arguments/exact-text.tsx";
import { type ControlProps, useForm } from "./form-view.ts";
import { listItems } from "./list-items.ts";
import { objectFields } from "./object-fields.ts";
import { dotted, isList, isObject, type Path } from "./path.ts";
import { titled } from "./resolve-schema.ts";
import { startingValue } from "./starting-value.ts";
import { useFormTexts } from "./texts.ts";

/** An object: its fields, what is not described, and what can be added. */
export function ObjectField(props: ControlProps & { readonly shape: JsonObject }) {
  const { root, send, drawField, usesTitles = false } = useForm();
  const texts = useFormTexts();
  const { id, labelId, path, shape } = props;
  const value = isObject(props.value) ? props.value : {};
  const fields = objectFields(shape, value);
  const order = Object.keys(isObject(shape["properties"]) ? shape["properties"] : {});
  const add = (key: string, schema: Json) =>
    send({ type: "started", path: [...path, key], start: startingValue(schema, root), order });
  return (
    <div
      id={id}
      role="group"
      aria-labelledby={labelId}
      className="card-fields"
      data-testid={`field:${dotted(path)}`}
    >
      {fields.present.map(({ key, schema, required }) =>
        drawField({
          path: [...path, key],
          schema,
          label: key,
          isOptional: !required,
          buttons: !required && <RemoveButton path={[...path, key]} label={key} />,
        }),
      )}
      {fields.unknown.map((key) => (
        <div key={key} className="card-field" data-testid={`field:${dotted([...path, key])}`}>
          <p className="card-field-head">
            <code className="card-key">
              <ExactText text={key} />
            </code>
            <span className="card-muted">
              {fields.forbidsUnknown ? texts.forbidden : texts.unknown}
            </span>
            {fields.forbidsUnknown && <RemoveButton path={[...path, key]} label={key} />}
          </p>
          <ArgumentValue value={value[key] ?? null} />
        </div>
      ))}
      {fields.absent.length > 0 && (
        <div className="card-chips">
          {fields.absent.map(({ key, schema }) => (
            <button
              key={key}
              type="button"
              className="card-chip"
              data-testid={`add:${dotted([...path, key])}`}
              onClick={() => add(key, schema)}
            >
              + {texts.add(visibleText(usesTitles ? titled(key, schema, root) : key))}
            </button>
          ))}
        </div>
      )}
      {fields.others !== undefined && (
        <NewKey path={path} taken={value} onAdd={(key) => add(key, fields.others ?? {})} />
      )}
    </div>
  );
}

/** A list: its items, with buttons to take one out, move one up and add one. */
export function ListField(props: ControlProps & { readonly shape: JsonObject }) {
  const { root, send, drawField } = useForm();
  const texts = useFormTexts();
  const { id, labelId, path, shape } = props;
  const items = isList(props.value) ? props.value : [];
  const { fixed, schemaAt } = listItems(shape);
  const next = schemaAt(items.length);
  return (
    <div
      id={id}
      role="group"
      aria-labelledby={labelId}
      className="card-fields"
      data-testid={`field:${dotted(path)}`}
    >
      {items.map((_, index) => {
        const itemPath = [...path, index];
        const label = texts.item(index + 1);
        return drawField({
          path: itemPath,
          schema: schemaAt(index) ?? {},
          label,
          buttons: index >= fixed && (
            <>
              {index > fixed && (
                <button
                  type="button"
                  className="card-link"
                  data-testid={`move-up:${dotted(itemPath)}`}
                  aria-label={texts.moveUpNamed(label)}
                  onClick={() => send({ type: "moved_up", path: itemPath })}
                >
                  ↑ {texts.moveUp}
                </button>
              )}
              <RemoveButton path={itemPath} label={label} />
            </>
          ),
        });
      })}
      {next !== undefined && (
        <div className="card-chips">
          <button
            type="button"
            className="card-chip"
            data-testid={`add:${dotted(path)}`}
            onClick={() =>
              send({
                type: "started",
                path: [...path, items.length],
                start: startingValue(next, root),
              })
            }
          >
            + {texts.addItem}
          </button>
        </div>
      )}
    </div>
  );
}

function RemoveButton({ path, label }: { readonly path: Path; readonly label: string }) {
  const { send } = useForm();
  const texts = useFormTexts();
  return (
    <button
      type="button"
      className="card-link"
      data-testid={`remove:${dotted(path)}`}
      aria-label={texts.removeNamed(visibleText(label))}
      onClick={() => send({ type: "removed", path })}
    >
      {texts.remove}
    </button>
  );
}

/** A name for an entry of a map; a name that is taken, or that JSON readers stumble over, is not added. */
function NewKey(props: {
  readonly path: Path;
  readonly taken: JsonObject;
  readonly onAdd: (key: string) => void;
}) {
  const texts = useFormTexts();
  const [key, setKey] = useState("");
  const isFree = key !== "" && key !== "__proto__" && !Object.hasOwn(props.taken, key);
  return (
    <div className="card-inline">
      <input
        className="card-input"
        type="text"
        aria-label={texts.newKey}
        placeholder={texts.newKey}
        data-testid={`new-key:${dotted(props.path)}`}
        value={key}
        onChange={(event) => setKey(event.target.value)}
      />
      <button
        type="button"
        className="card-button"
        data-testid={`add:${dotted(props.path)}`}
        disabled={!isFree}
        onClick={() => {
          props.onAdd(key);
          setKey("");
        }}
      >
        {texts.addKey}
      </button>
    </div>
  );
}
