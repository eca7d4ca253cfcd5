import { type MarkedText, type Span, withMarks } from "./marked-text.ts";
import { wordsOfName } from "./spaced-names.ts";

const CHARACTER = String.raw`[\p{L}\p{N}_.~+\-/\\]`;
const ENDING = String.raw`\.(?:[A-Za-z][A-Za-z0-9]{0,9}|7z)`;
const PLAIN = String.raw`[A-Za-z0-9_.~+\-]`;

/** A name with an ending, a path of plain characters, or a file everybody knows by its name. */
const FILE_NAME = new RegExp(
  [
    String.raw`(?:[A-Za-z]:\\)?${CHARACTER}{0,200}?${ENDING}(?![A-Za-z0-9_/\\-]|\.[A-Za-z0-9])`,
    String.raw`(?<![A-Za-z0-9_.~+\-/:])/?${PLAIN}+/(?:${PLAIN}+/?)*`,
    String.raw`(?<![\w./])/${PLAIN}+`,
    String.raw`(?<![\w.])(?:README|LICENSE|CHANGELOG|TODO|Makefile|Dockerfile)(?![\w.])`,
    String.raw`(?<=\bfile (?:called |named )|\bcalled |\bnamed |\bfile )(?!(?:called|named|to|with|in|from|and|that|is|for|at|it|containing|saying|please)\b)[A-Za-z0-9_-]+(?=[\s,.;:?!]|$)`,
  ].join("|"),
  "gu",
);
const NOT_A_FILE =
  /^(?:e\.g|i\.e|a\.m|p\.m|u\.s|\d+(?:\/\d+)+|and\/or|yes\/no|he\/she|his\/her|w\/o?)$/i;

const VERB =
  "(?:阅读|读取|读|查看|看看|看|打开|显示|展示|浏览|念|检查|写入|写|保存|存|新建|创建|建立|建|生成|更新|覆盖|修改|" +
  "删除|删掉|删|移除|去掉|清除|扔掉|归档|存档)(?:一下|一遍|下|掉|了)?";
const NOUN =
  "(?:这个|那个|一个|这份|那份|一份|个|该|我的)?新?(?:文件|文档)?(?:名字?[为叫是]|叫做?|叫作)?";
const COURTESY =
  "(?:请|麻烦|拜托|劳驾|帮我|帮忙|帮|替我|给我|你|我想|我要|想|要|能不能|能否|可不可以|可以|能|先|再|然后|接着|随后|" +
  "最后|并且|并|同时|顺便|也|还有|还|以及|和|与|跟|及|或者?|用|改用|改为|换成|不要|别)*";

/** What may be written in front of a Chinese file name without a space, in this order, once each. */
const BEFORE_NAME = new RegExp(
  `^${COURTESY}(?:把|将|在|往|向|从|对|给|到|进|入)?(?:${VERB})?${NOUN}`,
  "u",
);
const WRITE_TO = /^.*(?:写|存|放|记|录|加|改|移|挪|搬|发|导出|输出|命名)(?:到|进|入|在|为|成|至)/u;
const JOINED = /^.*(?:然后|接着|并且|随后|以及|还有|再|并|和|与|跟|及|后|到|进|入|为|成|在)/u;

/** Marks the file names of a text, and quotations that are nothing but a file name. */
export function markFileNames(marked: MarkedText): MarkedText {
  const spans: Span[] = [];
  for (const match of marked.text.matchAll(FILE_NAME)) {
    const found = match[0].replace(/[.\\]+$/, "");
    const touching = /[\uE000-\uF8FF]$/.test(marked.text.slice(0, match.index));
    const skipped = prefixLength(found, marked.text.slice(0, match.index), touching);
    const value = found.slice(skipped);
    if (value === "" || NOT_A_FILE.test(value)) continue;
    const span = { from: match.index + skipped, to: match.index + found.length, value };
    const whole = withWords(marked, span);
    // "drafts/My" is no file of its own when the name goes on with "Notes.md".
    while ((spans.at(-1)?.to ?? 0) > whole.from) spans.pop();
    spans.push(whole);
  }
  for (const match of marked.text.matchAll(/[\uE000-\uE7FF]/g)) {
    const value = marked.marks.get(match[0])?.value.trim() ?? "";
    if (isFileName(value)) spans.push({ from: match.index, to: match.index + 1, value });
  }
  return withMarks(
    marked,
    "path",
    spans.toSorted((one, other) => one.from - other.from),
  );
}

/** A file name with the words in front that belong to it, or may belong to it. */
function withWords(marked: MarkedText, span: Span): Span {
  const before = marked.text.slice(0, span.from);
  const words = wordsOfName(before.slice(-200), span.value);
  if (words === undefined) return span;
  const from = span.from - words.text.length;
  const skipped = prefixLength(words.text + span.value, marked.text.slice(0, from), false);
  const value = (words.text + span.value).slice(skipped);
  const isSure = words.isSure && !/\p{Script=Han}.* /u.test(value);
  if (!isSure && !value.includes("/")) return { ...span, longer: value };
  return { from: from + skipped, to: span.to, value, longer: isSure ? undefined : value };
}

/** Whether a text is one file name and nothing else; `spaces` allows for spaces inside it. */
export function isFileName(text: string, options: { readonly spaces?: boolean } = {}): boolean {
  const name = options.spaces ? text.replaceAll(" ", "_") : text;
  const [match] = name.matchAll(FILE_NAME);
  return match?.[0] === name && name.length < 200 && !NOT_A_FILE.test(name);
}

/** Chinese is written without spaces: how much of what looks like a file name is in front of it. */
function prefixLength(found: string, before: string, touching: boolean): number {
  const slash = found.indexOf("/");
  const head = found.slice(0, slash === -1 ? found.lastIndexOf(".") : slash);
  if (!/\p{Script=Han}/u.test(head)) return 0;
  // "打开 读书笔记.md": whoever puts a space in front of a name has said where it begins.
  if (new RegExp(`(?:${VERB}|[a-z]|把|将|在|往|到|进|入|为|文件|和|与|、)\\s+$`, "iu").test(before))
    return 0;

  let rest = head;
  if (touching) rest = rest.replace(JOINED, "");
  rest = rest.replace(WRITE_TO, "");
  rest = rest.replace(BEFORE_NAME, "");
  return rest === "" ? 0 : head.length - rest.length;
}
