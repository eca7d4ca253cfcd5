import { isFileName } from "../file-names.ts";
import { QUOTE_OR_PATH } from "../marked-text.ts";
import { type Advice, isRuledOut } from "./advice.ts";

const CUE =
  /(?:\b(?:use|to|into|in|as|under|at|try|take)\b(?: the)?(?: file)?|到|用|进|入|为|成|改|在|存|写|放)\s*$/iu;
const FOLDER =
  /(?:\b(?:to|into|in|under|use)\b\s+(?:the\s+)?|到|进|入|在|用)\s*(?<folder>[\p{L}\p{N}_-]+?)\s*(?:folder|directory|文件夹|目录)/iu;
const DRAFTS = /\b(?:to|into|in|under|as an?)\b\s+(?:the\s+|my\s+)?drafts?\b|草稿/iu;

/** The file the advice names in place of `path`: "use notes/b.txt instead", 写到 drafts/ 里. */
export function otherFile(advice: Advice, path: string): string | undefined {
  const named = Array.from(
    advice.text.matchAll(new RegExp(QUOTE_OR_PATH, "gu")),
    ({ 0: key, index }) => {
      const value = advice.marks.get(key)?.value.trim() ?? "";
      const isCued =
        CUE.test(advice.text.slice(0, index)) ||
        /^\s*(?:instead|吧)/.test(advice.text.slice(index + 1));
      return { value: inFolder(value, path), index, isCued };
    },
  ).filter(({ value, index }) => {
    return value !== path && isFileName(value, { spaces: true }) && !isRuledOut(advice, index);
  });
  const chosen = named.find(({ isCued }) => isCued) ?? named[0];
  if (chosen) return chosen.value;

  const folder =
    FOLDER.exec(advice.text)?.groups?.["folder"] ??
    (DRAFTS.test(advice.text) ? "drafts" : undefined);
  const moved = folder === undefined ? path : inFolder(`${folder}/`, path);
  return moved === path ? undefined : moved;
}

/** A folder stands for the file of the same name in it. */
function inFolder(value: string, path: string): string {
  return value.endsWith("/") ? value + path.slice(path.lastIndexOf("/") + 1) : value;
}
