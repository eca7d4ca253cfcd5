import { PATH, QUOTE, valuesOf } from "../marked-text.ts";
import type { Source, ToolRequest } from "../tool-request.ts";
import { FILE, hasSource, type Piece } from "./piece.ts";
import { contentOf, referenceIn } from "./written-content.ts";
import { targetOf } from "./written-file.ts";

const VERB =
  String.raw`\b(?:writ(?:e|ing)|sav(?:e|ing)|put(?:ting)?|stor(?:e|ing)|creat(?:e|ing)|mak(?:e|ing)|record(?:ing)?|not(?:e|ing)|jot|typ(?:e|ing)|enter(?:ing)?|updat(?:e|ing)|overwrit(?:e|ing)|replac(?:e|ing)|fill(?:ing)?|draft(?:ing)?|generat(?:e|ing)|start|set|add(?:ing)? an? (?:new |empty )*(?:\w+ )?file|new file)\b` +
  "|写|保存|另存|存入|存到|存进|存为|存|新建|创建|建立|建|生成|制作|更新|覆盖|修改|改成|改为|替换|记录|记|放|填|录入|输入";
const WRITES = new RegExp(VERB, "iu");
const STARTS = new RegExp(
  `^(?:${VERB}|(?:in|into|to|inside)\\b[^.;]{0,30}?${FILE}|把|将|在|往|向|用|给我?|${FILE}\\s*(?:文件)?(?:里|中|内))`,
  "iu",
);
const CREATES =
  /\b(?:creat(?:e|ing)|mak(?:e|ing)|start|new|generat(?:e|ing)|add)\b|新建|创建|建立|建|生成|制作/iu;
const SENTENCE_END = /[.!?]\s|[。；;！？\n]/;

/** Several files in one request, each with a content of its own. */
const PAIRS = [
  `(?<content>${QUOTE})\\s*(?:to|into|in|as|(?:写|存|保存|放|记)?[到入进])\\s*(?:the )?(?:file )?(?<file>${PATH})`,
  `(?<file>${PATH})\\s*(?:with|containing|saying|内容[是为]?|写)[^\\uE000-\\uEFFF,，;；]{0,16}(?<content>${QUOTE})`,
].map((pattern) => new RegExp(pattern, "giu"));

/** "write … to a.txt", "create a.txt with …", 把…写到 a.txt, 新建 a.txt，内容是…. */
export function writeRequests(piece: Piece): ToolRequest[] {
  if (!STARTS.test(piece.text) || !WRITES.test(piece.text)) return [];
  for (const pattern of PAIRS) {
    const pairs = [...piece.text.matchAll(pattern)];
    if (pairs.length < 2) continue;
    return pairs.flatMap(({ groups }) => {
      const [path] = valuesOf(piece, groups?.["file"] ?? "", PATH);
      const [content] = valuesOf(piece, groups?.["content"] ?? "", QUOTE);
      return path === undefined || content === undefined ? [] : [writing(path, content)];
    });
  }

  const target = targetOf(piece);
  if (!target) return [];
  const content = contentOf(piece, target);
  switch (content.type) {
    case "quoted":
      return [writing(target.path, content.text)];
    case "plain": {
      const source = referenceIn(content.text);
      if (!source) return [writing(target.path, content.text)];
      return hasSource(piece) ? [awaiting(target.path, source)] : [];
    }
    case "none":
      if (CREATES.test(piece.text) && !SENTENCE_END.test(piece.text.slice(0, target.to))) {
        return [writing(target.path, "")];
      }
      // "ask me which colour I like, then write to a.txt": what else but the answer?
      return target.isPlace && hasSource(piece) ? [awaiting(target.path, "latest")] : [];
    default:
      return content satisfies never;
  }
}

function writing(path: string, content: string): ToolRequest {
  return { name: "write_file", args: { path, content } };
}

function awaiting(path: string, source: Source): ToolRequest {
  return { ...writing(path, ""), awaits: { argument: "content", source } };
}
