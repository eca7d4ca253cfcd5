import type { AuditFinding, AuditSource, KeptEvent } from "./audit-source.ts";
import { erasedType, placesIn } from "../retention/erase.ts";
import type { EventPlace } from "../storage/storage.ts";
import { erasedBody, isHashOfText, streamStart } from "./chain.ts";
import { messageOf } from "../error-message.ts";

/** What the links of all streams say. */
export type LinksReport = {
  readonly events: number;
  readonly streams: number;
  readonly redacted: number;
  /** Events whose bodies were erased, as a record says. */
  readonly erased: number;
  readonly finding: AuditFinding | undefined;
};

const digest = /^sha256:[0-9a-f]{64}$/;

type Checked = { stream: string; seq: number; previous: string; position: number };

/**
 * Checks each event against its hash, and against the event before it on its stream. The finding is the one
 * at the lowest position. An event that is known to be missing is called by its stream where the one after
 * it names its hash.
 */
export function verifyLinks(source: AuditSource, missing?: MissingEvent): LinksReport {
  let [events, streams, redacted, erased] = [0, 0, 0, 0];
  let finding: AuditFinding | undefined;
  let last: Checked = { stream: "", seq: 0, previous: streamStart, position: 0 };
  try {
    const erasures = erasuresIn(source);
    for (const event of source.byStream()) {
      const isErased = event.body === erasedBody && erasures.has(placeOf(event));
      if (events === 0 || event.stream !== last.stream) {
        streams += 1;
        last = { stream: event.stream, seq: 0, previous: streamStart, position: 0 };
      }
      const found = problemWith(event, last, isErased, missing);
      if (found !== undefined && (finding === undefined || found.position < finding.position))
        finding = found;
      events += 1;
      if (event.redacted) redacted += 1;
      if (isErased) erased += 1;
      last.seq = event.seq;
      last.previous = event.hash;
      last.position = event.position;
    }
  } catch (error) {
    finding ??= unreadable(source, error, last.position + 1);
  }
  return { events, streams, redacted, erased, finding };
}

/** The events that were erased: memory grows with their number alone. */
function erasuresIn(source: AuditSource): ReadonlySet<string> {
  const places = new Set<string>();
  for (const body of source.bodiesOf(erasedType))
    for (const place of placesIn(body)) places.add(placeOf(place));
  return places;
}

function placeOf({ stream, seq }: EventPlace): string {
  return `${stream} ${seq}`;
}

/** An event that a seal covers and nobody has, and the start of its hash. */
export type MissingEvent = { readonly position: number; readonly mark: string };

/** What is said of rows that cannot even be read. */
export function unreadable(source: AuditSource, error: unknown, position: number): AuditFinding {
  const why = messageOf(error);
  return {
    problem: "unreadable",
    position,
    message: `What follows position ${position - 1} in ${source.name} cannot be read (${why}).`,
  };
}

/** Names an event in a sentence. */
export function nameOf(event: { stream: string; seq: number; position: number }): string {
  return `Event ${event.seq} of stream ${event.stream} (position ${event.position})`;
}

function problemWith(
  event: KeptEvent,
  last: Checked,
  isErased: boolean,
  missing: MissingEvent | undefined,
): AuditFinding | undefined {
  const { stream, seq, position } = event;
  const found = (problem: AuditFinding["problem"], what: string): AuditFinding => ({
    problem,
    position,
    stream,
    seq,
    message: `${nameOf(event)} ${what}.`,
  });
  const isUnchecked = event.redacted || isErased;
  if (isUnchecked ? !digest.test(event.hash) : !isHashOfText(event.hash, event, event.body)) {
    const what =
      event.body === erasedBody
        ? "was changed: its body is gone, and no record says that it was erased"
        : "was changed: what it says does not give its hash";
    return found("changed", what);
  }
  if (seq <= last.seq || seq < 1)
    return found("added", `was added: the stream is at event ${last.seq + 1} there`);
  if (seq > last.seq + 1) return missingBefore(event, last.seq + 1, missing);
  if (event.previous !== last.previous) {
    return found(
      "unlinked",
      seq === 1
        ? "is not the start of a stream"
        : "does not follow the event before it: one of the two was changed",
    );
  }
  if (position <= last.position)
    return found("unlinked", `does not stand after position ${last.position}, as it has to`);
  return undefined;
}

function missingBefore(
  event: KeptEvent,
  seq: number,
  missing: MissingEvent | undefined,
): AuditFinding {
  const { stream } = event;
  // The next event names the hash of the one that is gone: so it is the very one that the seal covers.
  const isIt =
    missing !== undefined &&
    event.seq === seq + 1 &&
    event.previous.startsWith(`sha256:${missing.mark}`);
  const position = isIt ? missing.position : event.position;
  const place = isIt ? `position ${position}` : `before position ${position}`;
  return {
    problem: "missing",
    position,
    stream,
    seq,
    message: `Event ${seq} of stream ${stream} (${place}) is missing.`,
  };
}
