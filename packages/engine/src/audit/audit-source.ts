import type { PlacedHash, StoredSeal } from "../storage/storage.ts";

/** An event as it is kept: the body is its text, whatever it says. */
export type KeptEvent = PlacedHash & {
  readonly stream: string;
  readonly seq: number;
  readonly type: string;
  readonly at: string;
  readonly body: string;
  readonly previous: string;
  readonly salt: string | undefined;
  /** True when an export left values out, so that the body cannot be checked against the hash. */
  readonly redacted: boolean;
};

/** Where an event stands, without what it says. */
export type PlacedEvent = Pick<KeptEvent, "position" | "stream" | "seq" | "hash">;

/** An audit as it lies there, read only and row by row; whatever was done to it. */
export type AuditSource = {
  /** What it is called in a sentence: "the database", "the export". */
  readonly name: string;
  /** Every event, one stream after the other, each in its order. */
  readonly byStream: () => Iterable<KeptEvent>;
  /** Every event in the order of positions. */
  readonly byPosition: () => Iterable<KeptEvent>;
  /** The bodies of the events of this type. */
  readonly bodiesOf: (type: string) => Iterable<string>;
  /** Where the events of a range stand: `after < position <= to`. */
  readonly places: (after: number, to: number) => Iterable<PlacedEvent>;
  /** A line `position hash` for each of them, as one text. */
  readonly placesText: (
    after: number,
    to: number,
  ) => { readonly count: number; readonly text: string };
  readonly seals: () => Iterable<StoredSeal>;
  /** A seal as it is now, which may have been added since the others were read. */
  readonly sealNow: (number: number) => StoredSeal | undefined;
  /** Says so when the end of it is known to be missing. */
  readonly cut?: string;
  readonly close: () => void;
};

/** What is wrong, in one sentence, and where. */
export type AuditFinding = {
  readonly problem: "changed" | "missing" | "added" | "unlinked" | "seal" | "unreadable";
  /** The first position that is concerned. */
  readonly position: number;
  readonly stream?: string;
  readonly seq?: number;
  readonly seal?: number;
  readonly message: string;
};
