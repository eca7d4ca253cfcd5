import { PATH, valuesOf } from "../marked-text.ts";
import type { ToolRequest } from "../tool-request.ts";
import { fileVerb, filesWithVerb } from "./file-object.ts";
import { earlierName, FILES, namesIn, type Piece } from "./piece.ts";

const DELETE = fileVerb({
  leading:
    String.raw`(?:delet(?:e|ing)|remov(?:e|ing)|eras(?:e|ing)|rm(?: -\w+)?|del|trash(?:ing)?|get(?:ting)? rid of|throw(?:ing)?(?: (?:away|out))?|discard(?:ing)?|dispos(?:e|ing) of|drop(?:ping)?|wip(?:e|ing)|unlink|scrap|bin|purge|destroy|ditch|clear(?: out)?)\b` +
    "|(?:删除|删掉|删去|删了|删|移除|移掉|去掉|去除|清除|清理|丢掉|丢弃|扔掉|抹掉|销毁)(?:掉|一下|了)?",
  trailing:
    "(?:全|全部|都|给|一起|一并)*(?:删除|删掉|删去|删了|删|移除|移掉|去掉|去除|清除|清理掉|丢掉|丢弃|扔掉|抹掉|销毁)" +
    String.raw`|\s+(?:should|can|could|may|must|needs? to|has to|have to)\s+(?:now )?be (?:deleted|removed|erased)\b`,
});

const ARCHIVE = fileVerb({
  leading: String.raw`archiv(?:e|ing)\b|(?:归档|存档)(?:一下)?`,
  trailing:
    "(?:全|全部|都|给|一起|一并)*(?:归档|存档)" +
    String.raw`|\s+(?:should|can|could|may|must|needs? to|has to|have to)\s+(?:now )?be archived\b`,
});

const MOVE = new RegExp(
  String.raw`^(?:mov(?:e|ing)|put(?:ting)?|send(?:ing)?|transfer(?:ring)?|shift|stor(?:e|ing)|fil(?:e|ing)|stash|plac(?:e|ing))\s+(?:the (?:file )?|file )?(?<files>${FILES}|it|that|them)\s+(?:away )?(?:over )?(?:in ?to|to|in|under|inside)\s+(?:(?:the|my|our|your)\s+)?(?:\w+\s+)?(?<place>archives?\b|${PATH})`,
  "iu",
);
const MOVE_CHINESE = new RegExp(
  `^(?:把|将)\\s*(?:文件)?\\s*(?<files>${FILES}|它们?|这个文件)\\s*(?:这个文件|文件)?\\s*(?:都|全部)?(?:移|放|存|挪|收|转|搬|归)(?:动|送)?(?:到|进|入|至)?\\s*(?<place>归档|存档|档案|archive|${PATH})`,
  "iu",
);

/** "delete a.txt", "get rid of a.txt and b.txt", 把 a.txt 删掉. */
export function deleteRequests(piece: Piece): ToolRequest[] {
  return filesWithVerb(piece, DELETE).map((path) => ({ name: "delete_file", args: { path } }));
}

/** "archive a.txt", "move a.txt to the archive", 归档 a.txt, 把 a.txt 移到归档. */
export function archiveRequests(piece: Piece): ToolRequest[] {
  return archivedNames(piece)
    .filter((path) => !/^archive\/?$/.test(path))
    .map((path) => ({ name: "archive_file", args: { path } }));
}

function archivedNames(piece: Piece): string[] {
  const move = (MOVE.exec(piece.text) ?? MOVE_CHINESE.exec(piece.text))?.groups;
  if (move) {
    const [folder = "archive"] = valuesOf(piece, move["place"] ?? "", PATH);
    if (!/^\.?\/?archives?(?:\/|$)/.test(folder)) return [];
    const names = namesIn(piece, move["files"] ?? "");
    return names.length > 0 ? names : earlierName(piece);
  }
  return filesWithVerb(piece, ARCHIVE);
}
