import type { Json, JsonObject } from "@holdpoint/core";
import { isObject, isWithin, type Path, removeAt, samePath, setAt, valueAt } from "./path.ts";
import type { StartingValue } from "./starting-value.ts";
import { readTyped, type TypedAs, type TypingProblem } from "./typed-value.ts";

/** A text as it stands in a number or JSON field; it is kept while it does not spell a value. */
export type TypedText = { readonly path: Path; readonly text: string; readonly as: TypedAs };

/**
 * Arguments being edited. `args` begins as `original` itself and changes only where a person changes
 * something, so an untouched form holds exactly what it got. Steps: form → diff → sent by the caller.
 */
export type FormState = {
  readonly original: JsonObject;
  readonly args: JsonObject;
  readonly texts: readonly TypedText[];
  readonly step: "form" | "diff";
};

/** What a person does in the form. */
export type FormEvent =
  | { readonly type: "set"; readonly path: Path; readonly value: Json }
  | { readonly type: "typed"; readonly path: Path; readonly text: string; readonly as: TypedAs }
  /** Adds or replaces a part; `order` lists the keys of the object around it as they should come. */
  | {
      readonly type: "started";
      readonly path: Path;
      readonly start: StartingValue;
      readonly order?: readonly string[];
    }
  | { readonly type: "removed"; readonly path: Path }
  | { readonly type: "moved_up"; readonly path: Path }
  | { readonly type: "reset" }
  | { readonly type: "compared" }
  | { readonly type: "returned" };

/** The form at the start; `args` differs from `original` when an earlier edit is taken up again. */
export function startForm(original: JsonObject, args: JsonObject = original): FormState {
  return { original, args, texts: [], step: "form" };
}

/** The next state of the form. Pure. */
export function reduceForm(state: FormState, event: FormEvent): FormState {
  switch (event.type) {
    case "set":
      return {
        ...withPart(state, event.path, event.value),
        texts: textsOutside(state, event.path),
      };
    case "typed":
      return type(state, { path: event.path, text: event.text, as: event.as });
    case "started":
      return start(state, event.path, event.start, event.order ?? []);
    case "removed":
      return remove(state, event.path);
    case "moved_up":
      return moveUp(state, event.path);
    case "reset":
      return startForm(state.original);
    case "compared":
      return problemsWithTexts(state).length > 0 ? state : { ...state, step: "diff" };
    case "returned":
      return { ...state, step: "form" };
    default:
      return event satisfies never;
  }
}

/** The text as typed at a path, when something was typed there. */
export function typedAt(state: FormState, path: Path): TypedText | undefined {
  return state.texts.find((typed) => samePath(typed.path, path));
}

/** The typed texts that spell no value; nothing can be sent while there are any. */
export function problemsWithTexts(
  state: FormState,
): { readonly path: Path; readonly problem: TypingProblem }[] {
  return state.texts.flatMap(({ path, text, as }) => {
    const read = readTyped(text, as);
    if (read.type === "problem") return [{ path, problem: read.problem }];
    const isWhole = path.length === 0; // arguments as a whole can only be an object
    return isWhole && !isObject(read.value) ? [{ path, problem: "not_json" as const }] : [];
  });
}

function type(state: FormState, typed: TypedText): FormState {
  const read = readTyped(typed.text, typed.as);
  const next = read.type === "value" ? withPart(state, typed.path, read.value) : state;
  return { ...next, texts: [...textsOutside(state, typed.path), typed] };
}

function start(
  state: FormState,
  path: Path,
  { value, blanks }: StartingValue,
  order: readonly string[],
): FormState {
  const before = valueAt(state.original, path.slice(0, -1));
  const known = isObject(before) ? Object.keys(before) : [];
  const next = withPart(state, path, value, [
    ...known,
    ...order.filter((key) => !known.includes(key)),
  ]);
  const blankTexts = blanks.map((blank): TypedText => ({
    path: [...path, ...blank],
    text: "",
    as: "number",
  }));
  return { ...next, texts: [...textsOutside(state, path), ...blankTexts] };
}

function remove(state: FormState, path: Path): FormState {
  const index = path.at(-1);
  const texts = textsOutside(state, path);
  const args = removeAt(state.args, path) as JsonObject; // a removal inside keeps the outer object
  if (typeof index !== "number") return { ...state, args, texts };
  return { ...state, args, texts: withIndexes(texts, path, (at) => (at > index ? at - 1 : at)) };
}

function moveUp(state: FormState, path: Path): FormState {
  const list = path.slice(0, -1);
  const index = path.at(-1);
  if (typeof index !== "number" || index === 0) return state;
  const lower = valueAt(state.args, path);
  const upper = valueAt(state.args, [...list, index - 1]);
  if (lower === undefined || upper === undefined) return state;
  const next = withPart(withPart(state, path, upper), [...list, index - 1], lower);
  const swapped = new Map([
    [index, index - 1],
    [index - 1, index],
  ]);
  return { ...next, texts: withIndexes(state.texts, path, (at) => swapped.get(at) ?? at) };
}

function withPart(
  state: FormState,
  path: Path,
  part: Json,
  order: readonly string[] = [],
): FormState {
  const args = setAt(state.args, path, part, order);
  return isObject(args) ? { ...state, args } : state;
}

function textsOutside(state: FormState, path: Path): TypedText[] {
  return state.texts.filter((typed) => !isWithin(typed.path, path));
}

/** The texts after the items of the list around `path` were numbered anew. */
function withIndexes(
  texts: readonly TypedText[],
  path: Path,
  renumber: (index: number) => number,
): TypedText[] {
  const list = path.slice(0, -1);
  return texts.map((typed) => {
    const at = typed.path[list.length];
    if (typeof at !== "number" || !isWithin(typed.path, list)) return typed;
    return { ...typed, path: typed.path.with(list.length, renumber(at)) };
  });
}
