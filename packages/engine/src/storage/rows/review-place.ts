import type { Row } from "./row.ts";

/** A place in a list of reviews: open ones stand by age, settled ones by when they were settled. */
export type ReviewPlace = { readonly settledAt: string; readonly seq: string };

/** The cursor behind a row: digits of one width, after the time where there is one. */
export function cursorAt(row: Row): string {
  const seq = String(row.seq).padStart(20, "0");
  return row.status === "open" ? seq : `${String(row.settled_at)}#${seq}`;
}

/** The digits of a cursor that somebody else made may be none: then the page is the one after 0. */
export function placeAt(cursor: string | undefined): ReviewPlace | undefined {
  if (cursor === undefined) return undefined;
  const [first = "", second] = cursor.split("#");
  const [settledAt, seq] = second === undefined ? ["", first] : [first, second];
  return { settledAt, seq: /^[0-9]{1,18}$/.test(seq.replace(/^0+(?=.)/, "")) ? seq : "0" };
}
