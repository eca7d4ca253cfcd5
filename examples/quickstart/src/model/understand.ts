import { markAddresses } from "./addresses.ts";
import { markColonContent } from "./colon-content.ts";
import { markFileNames } from "./file-names.ts";
import { askRequests } from "./intents/ask.ts";
import { mailRequests } from "./intents/mail.ts";
import type { Piece } from "./intents/piece.ts";
import { contentQuestions, readRequests } from "./intents/read.ts";
import { refundRequests } from "./intents/refund.ts";
import { archiveRequests, deleteRequests } from "./intents/remove.ts";
import { writeRequests } from "./intents/write.ts";
import { type MarkedText, unmarked } from "./marked-text.ts";
import { withoutPreamble } from "./preamble.ts";
import { markQuotations } from "./quotations.ts";
import { segmentsOf } from "./segments.ts";
import { type Source, textArgument, type ToolRequest } from "./tool-request.ts";

/** In the order in which they are tried: the more specific an intent, the earlier. */
const INTENTS = [
  contentQuestions,
  askRequests,
  refundRequests,
  mailRequests,
  archiveRequests,
  deleteRequests,
  writeRequests,
  readRequests,
];

const NOT_WANTED =
  /(?:\b(?:don['’]?t|do not|never|not|no need|without|stop|avoid|refrain|instead of|how (?:do|can|would|to))\b|(?<![能可要是])不|没|别|禁止|勿|无需|如何|怎么)[^,.;:，。；：\n]*$/iu;

/** The tool calls a message asks for, in its order; none if it is not understood. */
export function understand(message: string): ToolRequest[] {
  const named = markFileNames(markAddresses(markQuotations(unmarked(message))));
  const marked = markColonContent(named, (line) => {
    return requestsOf({ ...named, text: line, before: "" }).length > 0;
  });
  const segments = segmentsOf(marked.text, (segment) => requestsIn(marked, segment).length > 0);
  const requests = segments.flatMap((segment) => requestsIn(marked, segment));
  return withSources(requests).map((request) => withDoubt(marked, request));
}

/** What no request is without: something named, a number, or the person who speaks. */
const SUBSTANCE =
  /[\uE000-\uF7FF\d]|\b(?:it|that|this|them|me|us|user|my|i)\b|我|用户|它|这|那|[一二两三四五六七八九十百千万]/iu;
/** What no request is without that begins in the middle of a sentence. */
const LOOSE_SUBSTANCE = /[\uE000-\uF7FF\d]|\bask|\bcheck with|\bconfirm with|问|确认/iu;

function requestsIn(
  marked: MarkedText,
  segment: { readonly from: number; readonly to: number; readonly opensSentence: boolean },
): ToolRequest[] {
  const text = marked.text.slice(segment.from, segment.to);
  if (!SUBSTANCE.test(text)) return [];
  const before = marked.text.slice(0, segment.from);
  const requests = requestsOf({ ...marked, text, before });
  return requests.length === 0 && segment.opensSentence && LOOSE_SUBSTANCE.test(text)
    ? looseRequests({ ...marked, text, before })
    : requests;
}

/** The requests of a text that begins with one, courtesies aside. */
function requestsOf(piece: Piece): ToolRequest[] {
  const text = withoutPreamble(piece.text);
  for (const intent of INTENTS) {
    const requests = intent({ ...piece, text });
    if (requests.length > 0) return requests;
  }
  return [];
}

/** The requests of a sentence that says something else first: "I was wondering whether you …". */
function looseRequests(piece: Piece): ToolRequest[] {
  for (const { index } of piece.text
    .slice(0, 300)
    .matchAll(/(?<=[\s,，:：、])\S|\p{Script=Han}|[\uE000-\uF8FF]/gu)) {
    const said = piece.text.slice(0, index);
    if (NOT_WANTED.test(said)) continue;
    const requests = requestsOf({
      ...piece,
      text: piece.text.slice(index),
      before: piece.before + said,
    });
    if (requests.length > 0) return requests;
  }
  return [];
}

/** Drops requests that wait for an earlier result when no earlier request brings one. */
function withSources(requests: readonly ToolRequest[]): ToolRequest[] {
  return requests.filter((request, position) => {
    const { awaits } = request;
    return (
      !awaits || requests.slice(0, position).some((earlier) => bringsText(earlier, awaits.source))
    );
  });
}

/** A request about a file whose name may go on to the left: "into the shopping list.txt". */
function withDoubt({ marks }: MarkedText, request: ToolRequest): ToolRequest {
  const path = textArgument(request.args, "path");
  const named = [...marks.values()].find(({ value, longer }) => value === path && longer);
  const longer = named?.longer ?? "";
  // Reading or deleting the wrong one is seen in time: there is no such file, or a person is asked.
  const matters = request.name === "write_file" || longer.includes("/");
  return named && matters ? { ...request, doubt: { type: "file", text: longer } } : request;
}

/** Whether the result of a request is a text that a later one can use. */
export function bringsText({ name }: Pick<ToolRequest, "name">, source: Source): boolean {
  return name === "ask_user" || (name === "read_file" && source === "latest");
}
