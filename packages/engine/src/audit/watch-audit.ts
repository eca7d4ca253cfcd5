// While servers run, the audit is read over again: at the start from its beginning, then every hour what is
// new, and some of what is old, so that a change of any event is found in the end without a pause for anybody.
// Once something is wrong, no tool starts in this process any more. Reviews can still be decided: a decision
// runs nothing by itself, and its record is needed all the more.
import { setImmediate as nextTick } from "node:timers/promises";
import type { ActionId, Refusal } from "@holdpoint/core";
import type { AlarmListener } from "../alarm.ts";
import { erasedType, placesIn } from "../retention/erase.ts";
import { instanceStream } from "../backup/adopt.ts";
import type { EventWithPrevious, Reading, Storage } from "../storage/storage.ts";
import { erasedBody, isHashOfText, streamStart } from "./chain.ts";
import { isSigned, readSeal, rootOf } from "./seal.ts";

/** How often the audit is checked, in milliseconds; the first time is right after the start. */
export type AuditWatchOptions = { readonly everyMs: number };

/** Checks the audit beside the work. */
export type AuditWatch = {
  /** Checks what is new and some of what is old; resolves to what is wrong, if anything. */
  readonly check: () => Promise<string | undefined>;
  /** Why no tool may start; `undefined` while nothing is known to be wrong. */
  readonly refusal: (actionId: ActionId) => Refusal | undefined;
  readonly stop: () => Promise<void>;
};

/** Events that are read at once; in between others have their turn. */
const eventsAtOnce = 500;
/** Old events that each round reads again. */
const oldEventsInRound = 50_000;

/** Watches the audit; without options it checks on demand alone. */
export function watchAudit(
  storage: Storage,
  alarm: AlarmListener,
  options: AuditWatchOptions | undefined,
): AuditWatch {
  let [checkedTo, again, sealsTo] = [0, 0, 0];
  let wrong: string | undefined;
  let stopped = false;

  /** The first event that is wrong after a position; goes on until `to`. */
  async function checkEvents(after: number, to: number): Promise<string | undefined> {
    for (let position = after; position < to && !stopped;) {
      const events = await storage.read((reading) =>
        reading.auditPage({ after: position, to, limit: eventsAtOnce }),
      );
      for (const event of events) {
        if (await isWrong(storage, event))
          return `event ${event.seq} of stream ${event.stream} (position ${event.position}) was changed, or the one before it is missing`;
      }
      position = events.length < eventsAtOnce ? to : (events.at(-1)?.position ?? to);
      await nextTick();
    }
    return undefined;
  }

  /** A seal covers what was settled, so what is there now has to be what it covers. */
  async function checkSeals(): Promise<string | undefined> {
    while (!stopped) {
      const [seal] = await storage.read((reading) => reading.sealsAfter(sealsTo, 1));
      if (seal === undefined) return undefined;
      const read = readSeal(seal.line);
      const holds =
        read !== undefined &&
        isSigned(seal.line) &&
        rootOf(await storage.read((reading) => linesIn(reading, read))) === read.root;
      if (!holds) return `seal ${seal.number} does not hold`;
      sealsTo = seal.number;
      await nextTick();
    }
    return undefined;
  }

  async function round(): Promise<string | undefined> {
    if (wrong !== undefined) return wrong;
    const { position: head } = await storage.read((reading) => reading.auditHead());
    // An event whose position is lower may be committed later: the next round of old ones reads it.
    const oldTo = Math.min(checkedTo, again + oldEventsInRound);
    const found =
      (await checkEvents(checkedTo, head)) ??
      (await checkEvents(again, oldTo)) ??
      (await checkSeals());
    [checkedTo, again] = [head, oldTo >= checkedTo ? 0 : oldTo];
    if (found === undefined || stopped) return undefined;
    wrong = found;
    alarm({ type: "audit.broken", error: found });
    return found;
  }

  let running: Promise<string | undefined> = Promise.resolve(undefined);
  const check = (): Promise<string | undefined> =>
    (running = running.catch(() => undefined).then(round));
  // A check that the database keeps from being made says nothing of the audit; the next one is made in time.
  const inBackground = (): void => void check().catch(() => undefined);
  const timer = options === undefined ? undefined : setInterval(inBackground, options.everyMs);
  timer?.unref();
  if (options !== undefined) inBackground();
  return {
    check,
    refusal: (actionId) => (wrong === undefined ? undefined : refusalOf(actionId, wrong)),
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await running.catch(() => undefined);
    },
  };
}

async function isWrong(storage: Storage, event: EventWithPrevious): Promise<boolean> {
  const follows =
    event.seq === 1 ? event.previous === streamStart : event.previous === event.hashBefore;
  if (!follows) return true;
  if (isHashOfText(event.hash, event, event.body)) return false;
  if (event.body !== erasedBody) return true;
  const records = await storage.read((reading) => reading.auditOf(instanceStream));
  return !records
    .filter(({ type }) => type === erasedType)
    .flatMap(({ body }) => placesIn(JSON.stringify(body)))
    .some(({ stream, seq }) => stream === event.stream && seq === event.seq);
}

async function linesIn(
  reading: Reading,
  { after, to, count }: { readonly after: number; readonly to: number; readonly count: number },
): Promise<string> {
  const events = await reading.auditBetween({ after, to, limit: count + 1 });
  return events.map(({ position, hash }) => `${position} ${hash}\n`).join("");
}

function refusalOf(actionId: ActionId, wrong: string): Refusal {
  return {
    code: "permit_refused",
    message: `Action ${actionId} was not run, because the audit is broken: ${wrong}. Keep the database as evidence, run "holdpoint audit verify", and restore a backup whose audit holds.`,
    details: { actionId },
  };
}
