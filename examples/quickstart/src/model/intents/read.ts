import type { ToolRequest } from "../tool-request.ts";
import { fileVerb, filesWithVerb } from "./file-object.ts";
import { FILES, namesIn, type Piece } from "./piece.ts";

const LEADING =
  String.raw`(?:read(?:ing)?|show(?:ing)?(?: me)?|display|open(?:ing)?|cat|view|print|check|look(?:ing)?|(?:take|have) a (?:quick )?look|see|know|hear|let me (?:see|read|look|have|know)|peek|get|fetch|load|pull up|bring up|give me|tell me|what(?:['’]?s| is| are| does| do)|list|dump|summari[sz]e|review|inspect|examine|(?:the )?contents? of)\b` +
  "|(?:读取|读一读|读读|读出|阅读|读|看一看|看看|看|查看|查阅|查一下|查|打开|显示|展示|列出|输出|浏览|瞧瞧|瞧|翻开|念|告诉我|取出|获取|检查)(?:一下|一遍|下)?";
const TRAILING =
  "(?:给我)?(?:读|看|打开|显示|展示|念|输出|拿给我|发给我看)|的?(?:全部|全|完整)?内容|的?全文|(?:是|讲|写|有|记|说)(?:了|着|的)?(?:是|些)?(?:什么|啥|哪些)";
const READ = fileVerb({ leading: LEADING, trailing: TRAILING });
const INSIDE = new RegExp(
  `^(?<files>${FILES})\\s*(?:这个文件|文件)?(?:里面|里|中|内|里头)(?:都|到底|究竟)?(?:有|写|记|说|是|讲)(?:了|着|的)?(?:是|些)?(?:什么|啥|哪些)`,
  "u",
);

/** a.txt 里写了什么: a question that would otherwise look like a request to write. */
export function contentQuestions(piece: Piece): ToolRequest[] {
  return namesIn(piece, INSIDE.exec(piece.text)?.groups?.["files"] ?? "").map(reading);
}

/** "show me a.txt", "what's in a.txt", 看看 a.txt, 把 a.txt 打开. */
export function readRequests(piece: Piece): ToolRequest[] {
  // "give the customer back", "check with me", "get rid of …" are other requests.
  if (/^(?:get rid|give .*\bback\b|check with|let me know)/iu.test(piece.text)) return [];
  return filesWithVerb(piece, READ).map(reading);
}

function reading(path: string): ToolRequest {
  return { name: "read_file", args: { path } };
}
