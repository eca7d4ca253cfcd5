import { isFileName } from "../file-names.ts";
import { PATH, valuesOf } from "../marked-text.ts";
import { FILE, type Piece } from "./piece.ts";

/** The file a request writes to: its name, and the stretch of the text that says so. */
export type WrittenFile = {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Whether a word such as "to" or 到 makes it the place to write to. */
  readonly isPlace: boolean;
};

/** What stands in front of the file that is written to: "into the file a.txt", 到文件 a.txt. */
const PLACE = new RegExp(
  `(?:\\b(?:to|into|in|inside|onto|as|at|under|over|called|named)\\b(?:\\s+(?:an?|the|my|new|text|file|document|note|called|named))*\\s*` +
    `|(?:到|进|入|在|往|向|为|成|至|叫|建|创建|更新|覆盖|写)(?:一个|一份|了|个)?\\s*新?的?(?:文件|文档)?(?:名为|叫做?)?\\s*)(?<file>${FILE})`,
  "giu",
);

/** The last file that is introduced as a place, else the first that is named. */
export function targetOf(piece: Piece): WrittenFile | undefined {
  const places = Array.from(piece.text.matchAll(PLACE), (match) => {
    return { from: match.index, to: match.index + match[0].length, isPlace: true };
  });
  const names = Array.from(piece.text.matchAll(new RegExp(FILE, "gu")), ({ index }) => {
    return { from: index, to: index + 1, isPlace: false };
  });
  const isPath = ({ to }: { to: number }) => new RegExp(PATH, "u").test(piece.text.charAt(to - 1));
  const candidates = [
    ...places.filter(isPath).toReversed(),
    ...names.filter(isPath),
    ...places,
    ...names,
  ];
  for (const span of candidates) {
    const [path = ""] = valuesOf(piece, piece.text.charAt(span.to - 1), FILE);
    if (isFileName(path.trim(), { spaces: true })) return { path: path.trim(), ...span };
  }
  return undefined;
}
