import type { Failure } from "@holdpoint/client";
import type { JsonObject } from "@holdpoint/core";
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
    case "review_closed":
      return texts.failures.reviewClosed;
    case "decision_not_allowed":
      return texts.failures.notAllowed;
    case "edit_refused":
      return texts.failures.editRefused(textIn(details, "path"), textIn(details, "why"));
    default:
      return message;
  }
}

function textIn(details: JsonObject | undefined, key: string): string | undefined {
  const value = details?.[key];
  return typeof value === "string" && value !== "" ? value : undefined;
}
