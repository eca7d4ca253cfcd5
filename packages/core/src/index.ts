export { canonicalJson, sameJson } from "./canonical-json.ts";
export { type Card, answerSchemaOf, cardSchema, readCard } from "./contract/card.ts";
export { toCamelCase } from "./contract/casing.ts";
export { type Deadline, deadlineSchema } from "./contract/deadline.ts";
export {
  type Decision,
  type DecisionType,
  type NamedDecision,
  type Rejection,
  decideRequestSchema,
  decisionSchema,
  decisionTypes,
  jsonObjectSchema,
  namedDecisionSchema,
  positionalAnswerSchema,
  rejectionSchema,
  textLimit,
} from "./contract/decision.ts";
export {
  type ErrorCode,
  HoldpointError,
  type Refusal,
  errorTable,
  refusalOf,
} from "./contract/errors.ts";
export {
  type ActionId,
  type DecisionId,
  type ReviewId,
  type RunId,
  actionIdSchema,
  reviewIdSchema,
} from "./contract/ids.ts";
export {
  type InterruptPayload,
  type Raised,
  raisedSchema,
  interruptPayloadSchema,
  readInterruptPayload,
} from "./contract/interrupt.ts";
export { type ParentCall, type Provenance, provenanceOf } from "./contract/provenance.ts";
export type {
  ActionName,
  ActionRecord,
  CallKey,
  DecideResult,
  Holdpoint,
  JudgeCall,
  PermitResult,
  ReviewDraft,
} from "./contract/port.ts";
export {
  type ActionView,
  type Cause,
  type Outcome,
  type PermitStatus,
  type RecordedDecision,
  type Reviewer,
  type ReviewPage,
  type ReviewView,
  outcomeSchema,
  recordedDecisionSchema,
  reviewPageSchema,
  reviewerSchema,
  reviewViewSchema,
} from "./contract/review-view.ts";
export {
  deniedText,
  editNoticeText,
  expiredText,
  leftUnknownText,
  loopEndedText,
  refusedText,
  rejectedText,
  rejectionReason,
  repeatedText,
  withdrawnText,
} from "./decision/answer-texts.ts";
export { answerValue, isRecordedAnswer } from "./decision/check-answer.ts";
export { type ArgsProblem, problemWithArgs } from "./decision/check-args.ts";
export { judgeEdits } from "./decision/judge-edits.ts";
export { actionNamesIn, type ReadAnswer, readAnswer } from "./decision/read-answer.ts";
export { nameDecisions } from "./decision/positional.ts";
export { type CallCarrier, rewriteCall } from "./decision/rewrite-call.ts";
export { type Digest, digestCall, digestJson, digestText } from "./digest.ts";
export {
  type HiddenKind,
  type TextPiece,
  hasHiddenCharacters,
  visiblePieces,
  visibleText,
} from "./display/visible-text.ts";
export {
  type Json,
  type JsonObject,
  isJsonObject,
  isPlainJson,
  jsonLimits,
  problemWithJson,
} from "./plain-json.ts";
export { closestName, suggestion } from "./policy/closest-name.ts";
export { type Condition, type Explanation, evaluate, explain } from "./policy/evaluate.ts";
export {
  type CompiledRules,
  type MatchedRule,
  type ToolRule,
  type Unlisted,
  compileInterruptOn,
} from "./policy/interrupt-on.ts";
export { keysFor, keysWithoutTool, ruleFor } from "./policy/rule-for.ts";
export { type ReasonCode, reasonCodeSchema, type Verdict } from "./policy/verdict.ts";
export { type Permit, type PermitState, type Receipt, transitionPermit } from "./review/permit.ts";
export {
  type Action,
  type ActionState,
  type Call,
  type Review,
  type ReviewState,
  outcomeOf,
} from "./review/review.ts";
export { reviewNotFound } from "./review/review-not-found.ts";
export {
  type AuditEntry,
  type ReviewCommand,
  type ReviewEffect,
  type ReviewTransition,
  isOverdue,
  transition,
} from "./review/transition.ts";
export { viewOf } from "./review/view.ts";
