import { digestText } from "@holdpoint/core";
import type { StoredSeal } from "../storage/storage.ts";
import type { AuditFinding, AuditSource, PlacedEvent } from "./audit-source.ts";
import { rootOf, isSigned, markLength, markOf, readSeal, type Seal, sealsStart } from "./seal.ts";
import { fingerprintOf } from "./signing-key.ts";
import { type MissingEvent, nameOf, unreadable } from "./verify-links.ts";

/** What the seals say of the events. */
export type SealsReport = {
  readonly seals: number;
  /** How many events the seals cover. */
  readonly sealed: number;
  /** The keys that signed. */
  readonly keys: ReadonlySet<string>;
  readonly last: StoredSeal | undefined;
  readonly finding: AuditFinding | undefined;
  readonly missing?: MissingEvent;
};

/**
 * Checks every seal against the one before it and its key, and the events against their seals; it ends with
 * the first that is wrong. Without `trusted` keys all seals must be signed by the key of the first.
 */
export function verifySeals(source: AuditSource, trusted: readonly string[]): SealsReport {
  const keys = new Set<string>();
  let last: StoredSeal | undefined;
  let [seals, sealed, sealedTo] = [0, 0, 0];
  const report = (finding?: AuditFinding, missing?: MissingEvent): SealsReport => ({
    seals,
    sealed,
    keys,
    last,
    finding,
    ...(missing === undefined ? {} : { missing }),
  });
  try {
    for (const stored of source.seals()) {
      const seal = readSeal(stored.line);
      const problem = problemWithSeal(seal, stored, { last, sealedTo, keys, trusted });
      if (problem !== undefined || seal === undefined) {
        const number = stored.number > seals + 1 ? seals + 1 : stored.number;
        const message = `Seal ${number} in ${source.name} ${problem}.`;
        return report({ problem: "seal", position: sealedTo + 1, seal: number, message });
      }
      keys.add(seal.key);
      const { count, text } = source.placesText(seal.after, seal.to);
      if (count !== seal.count || rootOf(text) !== seal.root) {
        const { finding, missing } = firstDifference(source, seal);
        return report(finding, missing);
      }
      seals += 1;
      sealed += count;
      sealedTo = seal.to;
      last = stored;
    }
    return report();
  } catch (error) {
    return report(unreadable(source, error, sealedTo + 1));
  }
}

/** Which event of a seal is not as it was: the marks tell. */
function firstDifference(
  source: AuditSource,
  seal: Seal,
): { readonly finding: AuditFinding; readonly missing?: MissingEvent } {
  const covered = coveredBy(seal);
  let mark = "";
  let index = 0;
  const nextDue = (): number | undefined => {
    mark = seal.marks.slice(index * markLength, (index + 1) * markLength);
    index += 1;
    return covered.next().value;
  };
  for (const event of source.places(seal.after, seal.to)) {
    const due = nextDue();
    const finding = compare(event, due, mark, seal);
    if (finding?.problem === "missing" && due !== undefined)
      return { finding, missing: { position: due, mark } };
    if (finding !== undefined) return { finding };
  }
  const due = nextDue();
  if (due !== undefined) return { finding: missingAt(due, seal), missing: { position: due, mark } };
  const message = `The events from position ${seal.after + 1} to ${seal.to} are not those that seal ${seal.number} covers.`;
  const { number, after } = seal;
  return { finding: { problem: "changed", position: after + 1, seal: number, message } };
}

type Known = {
  readonly last: StoredSeal | undefined;
  readonly sealedTo: number;
  readonly keys: ReadonlySet<string>;
  readonly trusted: readonly string[];
};

function problemWithSeal(
  seal: Seal | undefined,
  stored: StoredSeal,
  known: Known,
): string | undefined {
  const { last, sealedTo, keys, trusted } = known;
  const number = (last?.number ?? 0) + 1;
  if (stored.number > number) return `is missing`;
  if (stored.number !== number) return `was added`;
  if (seal === undefined) return `was changed: it is not written as a seal is`;
  if (!isSigned(stored.line)) return `was changed: its signature does not hold`;
  const allowed = trusted.length > 0 ? trusted : [...keys];
  if (allowed.length > 0 && !allowed.includes(seal.key))
    return `is signed with another key, ${fingerprintOf(seal.key)}, instead of ${allowed.map(fingerprintOf).join(" or ")}`;
  if (seal.number !== number) return `stands in the place of another: it is seal ${seal.number}`;
  if (seal.previous !== (last === undefined ? sealsStart : digestText(last.line)))
    return `does not follow the seal before it`;
  if (seal.after !== sealedTo || seal.marks.length !== seal.count * markLength)
    return `does not continue where the seal before it ends`;
  return undefined;
}

/** The positions that a seal says events have. */
function* coveredBy(seal: Seal): Generator<number, undefined> {
  let position = seal.after + 1;
  for (const [first, last] of [...seal.gaps, [seal.to + 1, seal.to + 1] as const]) {
    for (; position < first; position += 1) yield position;
    position = last + 1;
  }
}

function compare(
  event: PlacedEvent,
  due: number | undefined,
  mark: string,
  seal: Seal,
): AuditFinding | undefined {
  if (event.position === due) {
    if (markOf(event.hash) === mark) return undefined;
    const what = `is not the one that seal ${seal.number} covers`;
    return { ...placed(event, "changed"), message: `${nameOf(event)} ${what}.` };
  }
  if (due !== undefined && due < event.position) return missingAt(due, seal);
  const what = `was added: seal ${seal.number} covers none there`;
  return { ...placed(event, "added"), message: `${nameOf(event)} ${what}.` };
}

function missingAt(position: number, seal: Seal): AuditFinding {
  const message = `The event at position ${position}, which seal ${seal.number} covers, is missing.`;
  return { problem: "missing", position, seal: seal.number, message };
}

function placed(
  event: PlacedEvent,
  problem: AuditFinding["problem"],
): Omit<AuditFinding, "message"> {
  const { position, stream, seq } = event;
  return { problem, position, stream, seq };
}
