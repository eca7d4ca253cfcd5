import type { Decision, Json, JsonObject } from "@holdpoint/core";
import { noReason, partsOf, type RejectionPart, type RejectionParts } from "./rejection.ts";

/** What is open below an action while its decision is being made. */
export type PanelState =
  | { readonly type: "closed" }
  | { readonly type: "rejecting"; readonly parts: RejectionParts }
  /** `value` is an earlier answer to a question with a form, which is taken up again. */
  | { readonly type: "responding"; readonly text: string; readonly value: Json | undefined }
  /** `args` is an earlier edit that is taken up again. */
  | { readonly type: "editing"; readonly args: JsonObject | undefined };

/** What a reviewer does there. */
export type PanelEvent =
  | { readonly type: "opened"; readonly decision: "edit" | "reject" | "respond" }
  | { readonly type: "reopened"; readonly decision: Decision }
  | { readonly type: "part_typed"; readonly part: RejectionPart; readonly text: string }
  | { readonly type: "answer_typed"; readonly text: string }
  | { readonly type: "closed" };

/** The state at the start. */
export const closedPanel: PanelState = { type: "closed" };

/** The next state of the panel. Pure. */
export function reducePanel(state: PanelState, event: PanelEvent): PanelState {
  switch (event.type) {
    case "opened":
      return open(event.decision);
    case "reopened":
      return reopen(event.decision);
    case "part_typed":
      return state.type === "rejecting"
        ? { ...state, parts: { ...state.parts, [event.part]: event.text } }
        : state;
    case "answer_typed":
      return state.type === "responding" ? { ...state, text: event.text } : state;
    case "closed":
      return closedPanel;
    default:
      return event satisfies never;
  }
}

function open(decision: "edit" | "reject" | "respond"): PanelState {
  switch (decision) {
    case "edit":
      return { type: "editing", args: undefined };
    case "reject":
      return { type: "rejecting", parts: noReason };
    case "respond":
      return { type: "responding", text: "", value: undefined };
    default:
      return decision satisfies never;
  }
}

function reopen(decision: Decision): PanelState {
  switch (decision.type) {
    case "approve":
      return closedPanel;
    case "edit":
      return { type: "editing", args: decision.editedAction.args };
    case "reject":
      return { type: "rejecting", parts: partsOf(decision) };
    case "respond":
      return { type: "responding", text: decision.message ?? "", value: decision.value };
    default:
      return decision satisfies never;
  }
}
