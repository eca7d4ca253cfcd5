import { earlierName, FILES, namesIn, type Piece } from "./piece.ts";

const PRONOUN =
  "(?:it|that|this|them|(?:that|this|the|said) (?:file|one|document))\\b|它们?|该文件|这个文件|那个文件|这份文件";
const OTHER_MEANING =
  /\b(?:except|but|not|all|everything|without|delet\w*|remov\w*|whether|if|how|why|who|archive|refund|email)\b|除了|以外|怎么|如何|为什么/iu;
const ANOTHER_THING = /里|中|什么|谁|吗|不要|别|勿|再|然后|并|顺便|接着|最后|以及/u;

/** A verb that takes files, as patterns; `fileVerb` makes them from words. */
export type FileVerb = {
  readonly leading: RegExp;
  readonly trailing: RegExp;
  readonly pronoun: RegExp;
};

/** Makes the patterns of a verb from those in front of files ("delete") and behind them (删掉). */
export function fileVerb(words: { readonly leading: string; readonly trailing: string }): FileVerb {
  const { leading, trailing } = words;
  const patterns = {
    leading: `^(?:${leading})(?<between>[^.;!?。；！？\\n]{0,60}?)(?<files>${FILES})`,
    trailing: `^(?:把|将)?\\s*(?:文件)?\\s*(?<files>${FILES})(?<between>[^.;!?。；！？\\n]{0,20}?)(?:${trailing})(?!\\s*(?:文件)?${FILES})`,
    pronoun: `^(?:(?:${leading})\\s*(?:${PRONOUN})|(?:把|将)(?:${PRONOUN})[^，。]{0,6}?(?:${trailing}))`,
  };
  return {
    leading: new RegExp(patterns.leading, "iu"),
    trailing: new RegExp(patterns.trailing, "iu"),
    pronoun: new RegExp(patterns.pronoun, "iu"),
  };
}

/**
 * The files a request is about when it is of the form verb and files: "delete a.txt and b.txt",
 * "get rid of it", 删除 a.txt, 把 a.txt 删掉, a.txt 不需要了，请帮我删掉.
 */
export function filesWithVerb(piece: Piece, verb: FileVerb): string[] {
  const opened = verb.leading.exec(piece.text)?.groups;
  if (opened && !OTHER_MEANING.test(opened["between"] ?? "")) {
    return namesIn(piece, opened["files"] ?? "");
  }
  const closed = verb.trailing.exec(piece.text)?.groups;
  if (closed && !ANOTHER_THING.test(closed["between"] ?? "")) {
    return namesIn(piece, closed["files"] ?? "");
  }
  return verb.pronoun.test(piece.text) ? earlierName(piece) : [];
}
