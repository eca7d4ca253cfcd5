import { QUOTE, restored, valuesOf } from "../marked-text.ts";
import { withoutCourtesy } from "../preamble.ts";
import type { ToolRequest } from "../tool-request.ts";
import type { Piece } from "./piece.ts";
import { asQuestion } from "./question.ts";

const STARTS =
  /^(?:ask(?:ing)? (?:me|the user|us)\b|(?:check|confirm|verify|clarify) with (?:me|the user|us)\b|find out (?:from me|what i)\b|get my (?:opinion|answer|input|approval)\b|let me (?:choose|decide|pick)\b|question for me\b|i want (?:you )?to be asked\b|(?:问问|询问|问|请教|征求|咨询)(?:一下|一问|一声)?(?:我|用户|一下我)(?:一下|一声)?(?:的意见)?|(?:跟|和|与|向|找)(?:我|用户)(?:确认|核实|问|商量|请示)(?:一下|一声|问)?|让我(?:选|决定|选择)(?:一下)?)/iu;
const LATER =
  /[,，]?\s*(?:\bbefore (?:you|doing|anything|starting|continuing)\b.*|\bfirst$|\band (?:then )?(?:wait|proceed|continue|do)\b.*|(?:再|然后|之后|等我)(?:开始|继续|做|动手|处理|回答|说).*)$/isu;

/** "ask me which colour I like", "check with me: …", 问我喜欢什么颜色, 先跟我确认一下：…. */
export function askRequests(piece: Piece): ToolRequest[] {
  const start = STARTS.exec(piece.text)?.[0];
  if (start === undefined) return [];
  const rest = piece.text
    .slice(start.length)
    .replace(/^\s*(?:this|first|a question|about|for|先)?\s*[,，:：]?\s*/iu, "");
  const [quoted] = valuesOf(piece, rest, QUOTE);
  if (quoted !== undefined && /^[\uE000-\uE7FF]/.test(rest)) {
    return [{ name: "ask_user", args: { question: quoted.trim() } }];
  }
  const words = withoutCourtesy(restored(piece, rest.replace(LATER, "")));
  if (words === "") return [];
  return [{ name: "ask_user", args: { question: asQuestion(words) } }];
}
