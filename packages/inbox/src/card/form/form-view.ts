import type { ArgsProblem, Json, JsonObject } from "@holdpoint/core";
import { createContext, type ReactNode, useContext } from "react";
import type { FormEvent, FormState } from "./form-state.ts";
import type { Path } from "./path.ts";

/** A control for one part of the arguments. */
export type ControlProps = {
  /** The id that the label of the field points to. */
  readonly id: string;
  readonly labelId: string;
  readonly path: Path;
  readonly schema: Json;
  readonly value: Json;
};

/** A control with its label, description, buttons and problem. */
export type FieldProps = {
  readonly path: Path;
  readonly schema: Json;
  readonly label: string;
  readonly isOptional?: boolean;
  readonly buttons?: ReactNode;
};

/** What every field of one form needs. Fields contain one another, so they are drawn through here. */
export type FormView = {
  readonly root: JsonObject;
  readonly state: FormState;
  readonly send: (event: FormEvent) => void;
  /** The first thing that the tool's schema says against the arguments as they stand. */
  readonly problem: ArgsProblem | undefined;
  /** Where a part was added or replaced just now; its field takes the focus and forgets it. */
  readonly addedRef: { current: Path | undefined };
  /** True when fields go by their titles, as in a tool's card; arguments go by their exact names. */
  readonly usesTitles?: boolean;
  readonly drawField: (props: FieldProps) => ReactNode;
  readonly drawControl: (props: ControlProps) => ReactNode;
};

/** The form around a field. */
export const FormContext = createContext<FormView | undefined>(undefined);

/** The form around a field; throws outside one. */
export function useForm(): FormView {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error("A field was drawn outside a form.");
  return form;
}

/** The id of the line under a control that says what is wrong with it. */
export function problemId(id: string): string {
  return `${id}-problem`;
}
