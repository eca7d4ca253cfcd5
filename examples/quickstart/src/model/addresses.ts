import { type MarkedText, withMarks } from "./marked-text.ts";

const LINK = /\b(?:https?|ftp):\/\/[^\s"'“”「」『』<>，。；、）)]+/g;
const MAIL = /(?:mailto:)?([A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)/g;

/** Marks links and mail addresses, so that their parts are not taken for file names. */
export function markAddresses(marked: MarkedText): MarkedText {
  const links = Array.from(marked.text.matchAll(LINK), ({ 0: raw, index }) => {
    return { from: index, to: index + raw.length, value: raw };
  });
  const withoutLinks = withMarks(marked, "link", links);
  const mails = Array.from(withoutLinks.text.matchAll(MAIL), ({ 0: raw, 1: value = "", index }) => {
    return { from: index, to: index + raw.length, value };
  });
  return withMarks(withoutLinks, "address", mails);
}
