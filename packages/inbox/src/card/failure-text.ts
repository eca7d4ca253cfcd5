import type { Failure } from "@holdpoint/client";
import type { JsonObject } from "@holdpoint/core";
import { readableProblem } from "./form/field-problem.ts";
import { problemSentence } from "./problem-sentence.ts";
import type { CardTexts } from "./texts.ts";

/** What went wrong, in the reader's language where the code says it all, else in the server's words. */
export function failureText(failure: Failure, texts: CardTexts): string {
  if (failure.type === "unreachable") return texts.failures.unreachable;
  const { code, message, details } = failure.refusal;
  switch (code) {
    case "unauthorized":
      return texts.failures.unauthorized;
    case "already_decided":
      return texts.failures.alreadyDecided;
    case "deadline_passed":
      return texts.failures.deadlinePassed;
    case "review_closed":
      return texts.failures.reviewClosed;
    case "decision_not_allowed":
      return texts.failures.notAllowed;
    case "edit_refused":
      return editRefused(details, texts);
    default:
      return message;
  }
}

/** The server puts the place before what is wrong there, and what to do behind it; here each is said once. */
function editRefused(details: JsonObject | undefined, texts: CardTexts): string {
  const why = textIn(details, "why").replace(/; correct it and send again\.?$/, "");
  const { where, what } = readableProblem({ path: textIn(details, "path"), message: why });
  const sentence = problemSentence(what, texts.problems);
  const isWhole = sentence === "" || /[.。]$/u.test(sentence);
  return texts.failures.editRefused(where, isWhole ? sentence : `${sentence}.`);
}

function textIn(details: JsonObject | undefined, key: string): string {
  const value = details?.[key];
  return typeof value === "string" ? value : "";
}
