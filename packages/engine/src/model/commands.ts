import type { ActionId, Decision, Review, ReviewDraft, Reviewer } from "@holdpoint/core";
import fc from "fast-check";
import type { DecideRequest } from "../reviews/decide-request.ts";
import { aDraft, anna, ben } from "../testing/review-draft.ts";
import { type Database, expectSame, isSame, processes, verifyReview } from "./database.ts";
import * as pure from "./model.ts";

/** What the commands need to know before they run; the databases have models of their own. */
export type Known = { readonly drafts: ReviewDraft[] };

/** One step on every database, checked against its model. */
export type Command = fc.AsyncCommand<Known, readonly Database[]>;

type Step = (database: Database, review: Review) => Promise<unknown>;

/** Few things, so that much happens to each; one place in a review is that of nobody. */
const aPick = fc.constantFrom(0, 0, 0, 1, 2);
const aPlace = fc.constantFrom(0, 0, 0, 1, 2);
const aProcess = fc.constantFrom(...processes);
const aReviewer: fc.Arbitrary<Reviewer> = fc.constantFrom(anna, ben);
const aDecision: fc.Arbitrary<Decision> = fc.oneof(
  { arbitrary: fc.constant<Decision>({ type: "approve" }), weight: 4 },
  fc.constantFrom<Decision>({ type: "reject" }, { type: "reject", message: "no" }),
  fc.constant<Decision>({ type: "respond", message: "later" }),
  fc.constantFrom("c@d.e", 7).map(
    (to): Decision => ({ type: "edit", editedAction: { name: "send_email", args: { to } } }), // 7 is refused
  ),
);
const aPickOf = fc.record({ action: aPlace, decision: aDecision });
const decisions = fc.oneof(
  { arbitrary: fc.tuple(aPickOf), weight: 5 },
  { arbitrary: fc.array(aPickOf, { maxLength: 3 }), weight: 1 },
  { arbitrary: aDecision.map((decision) => [{ action: "all", decision } as const]), weight: 3 },
);

/** A step on one of the last reviews, if there is one. */
function onReview(text: string, pick: number, step: Step): Command {
  return {
    check: ({ drafts }) => drafts.length > 0,
    run: async ({ drafts }, databases) => {
      const { id } = drafts.at(-1 - (pick % drafts.length)) ?? { id: "rev_none" as const };
      for (const database of databases) {
        const review = database.model.reviews.get(id);
        if (review === undefined) throw new Error("Every draft was opened.");
        await step(database, review);
        await verifyReview(database, id);
      }
    },
    toString: () => text,
  };
}

/** The action at a place, or one that there is not. */
function actionAt(review: Review, place: number): ActionId {
  return review.actions[place]?.id ?? "act_none";
}

type Pick = { readonly action: number | "all"; readonly decision: Decision };

function requestOf(review: Review, picks: readonly Pick[], reviewer: Reviewer): DecideRequest {
  const named = picks.flatMap(({ action, decision }) =>
    (action === "all" ? review.actions.map((_one, place) => place) : [action]).map((place) => ({
      actionId: actionAt(review, place),
      decision,
    })),
  );
  return { reviewId: review.id, decisions: named, reviewer };
}

const opening = fc
  .tuple(aProcess, fc.constantFrom(1, 1, 2, 3), fc.boolean())
  .map(([process, actions, hosted]): Command => ({
    check: () => true,
    run: async ({ drafts }, databases) => {
      const draft = aDraft(actions);
      drafts.push(draft);
      for (const database of databases) {
        const mine = { ...draft, agent: database.agent };
        const engine = database.engine(process);
        const expected = pure.open(database.model, mine, hosted);
        const { threadId, createdAt } = expected;
        if (hosted) {
          const thread = { id: threadId, agent: database.agent, createdAt, lastSeq: 0 };
          await engine.storage.write((writing) => writing.insertThread(thread));
        }
        expectSame(await engine.openReview(mine), expected, `opened in ${database.name}`);
        await verifyReview(database, draft.id);
      }
    },
    toString: () => `${process} opens ${actions}${hosted ? " on a hosted thread" : ""}`,
  }));

const deciding = fc
  .tuple(aProcess, aPick, decisions, aReviewer)
  .map(([process, pick, picks, reviewer]) =>
    onReview(`${process} decides ${text(picks)}`, pick, async (database, review) => {
      const request = requestOf(review, picks, reviewer);
      const expected = pure.decide(database.model, request);
      const found = await database.engine(process).decide(request);
      expectSame(found, expected, `decided in ${database.name}`);
    }),
  );

/** Two processes decide at once: it must be as if one of them had come first, whichever it was. */
const racing = fc
  .tuple(aPick, decisions, decisions, aReviewer, aReviewer)
  .map(([pick, first, second, one, two]) =>
    onReview(`A decides ${text(first)} while B ${text(second)}`, pick, async (database, review) => {
      const a = requestOf(review, first, one);
      const b = requestOf(review, second, two);
      const found = await Promise.all([
        database.engine("A").decide(a),
        database.engine("B").decide(b),
      ]);
      const ab = structuredClone(database.model);
      const aFirst = [pure.decide(ab, a), pure.decide(ab, b)];
      const ba = structuredClone(database.model);
      const bFirst = [pure.decide(ba, b), pure.decide(ba, a)].toReversed();
      database.model = isSame(found, aFirst) ? ab : ba;
      if (database.model === ba) expectSame(found, bFirst, `in no order, in ${database.name}`);
    }),
  );

const closing = fc.tuple(aProcess, aPick).map(([process, pick]) =>
  onReview(`${process} closes`, pick, async (database, review) => {
    pure.close(database.model, review.id, "withdrawn");
    await database.engine(process).closeReview(review.id, "withdrawn");
  }),
);

const starting = fc
  .tuple(aProcess, aPick, aPlace, fc.nat(4), fc.boolean())
  .map(([process, pick, place, wrong, again]) =>
    onReview(
      `${process} starts ${wrong === 0 ? "another call" : ""}`,
      pick,
      async (database, review) => {
        const id = actionAt(review, place);
        const approved = database.model.permits.get(id)?.permit.digest ?? "sha256:none";
        const digest = wrong === 0 ? "sha256:other" : approved;
        const owner = database.owner(process);
        const command = { type: "start", digest, again } as const;
        const expected = pure.changePermit(database.model, owner, review, id, command);
        const found = await database.engine(process).startPermit(id, digest, again);
        expectSame(found.type, expected, `started in ${database.name}`);
      },
    ),
  );

const finishing = fc
  .tuple(
    aProcess,
    aPick,
    aPlace,
    fc.constantFrom(0, 0, 1),
    fc.constantFrom("close", "close", "suspend", "lose"),
  )
  .map(([process, pick, place, behind, type]) =>
    onReview(`${process} ${type}s a start`, pick, async (database, review) => {
      const id = actionAt(review, place);
      const fence = (database.model.permits.get(id)?.permit.fence ?? 0) - behind;
      const receipt = { status: "succeeded", message: { text: "sent" } } as const;
      const owner = database.owner(process);
      const command = type === "close" ? { type, fence, receipt } : { type, fence };
      const expected = pure.changePermit(database.model, owner, review, id, command);
      const engine = database.engine(process);
      const found = await {
        close: () => engine.closePermit(id, fence, receipt),
        suspend: () => engine.suspendPermit(id, fence),
        lose: () => engine.abandonPermit(id, fence),
      }[type]();
      expectSame(found.type, expected, `${type} in ${database.name}`);
    }),
  );

const waiting = fc.tuple(aProcess, aPick, aPlace).map(([process, pick, place]) =>
  onReview(`${process} waits for a start`, pick, async (database, review) => {
    const id = actionAt(review, place);
    const owner = database.owner(process);
    if (!pure.isWaitOver(database.model, owner, id)) return;
    if (database.model.permits.get(id)?.permit.state.status === "started")
      pure.changePermit(database.model, owner, review, id, { type: "lose" });
    const found = await database.engine(process).awaitPermit(id);
    expectSame(found, database.model.permits.get(id)?.permit, `awaited in ${database.name}`);
  }),
);

/** A step that concerns no review. */
function step(text: string, run: (database: Database) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (_known, databases) => {
      for (const database of databases) await run(database);
    },
    toString: () => text,
  };
}

const working = fc.tuple(aProcess, fc.nat(2)).map(([process, stale]) =>
  step(`${process} works on a run${stale === 0 ? " and comes late" : ""}`, async (database) => {
    const engine = database.engine(process);
    const expected = pure.claim(database.model, database.owner(process));
    const run = await engine.runs.claim([database.agent]);
    const seen = ({ threadId, status, attempts, fence }: NonNullable<typeof run>) => ({
      threadId,
      status,
      attempts,
      fence,
    });
    const { lease: _lease, ...claimed } = expected ?? { lease: undefined };
    expectSame(run && seen(run), expected && claimed, `claimed in ${database.name}`);
    if (run === undefined || expected === undefined || stale === 1) return; // it goes on working
    const fence = run.fence - (stale === 0 ? 1 : 0);
    const index = database.model.runs.findLastIndex(
      (one) => one.threadId === run.threadId && one.status === "running",
    );
    const ended = await engine.runs.end({ ...run, fence }, "completed", []);
    expectSame(ended.type, pure.end(database.model, index, fence), `ended in ${database.name}`);
  }),
);

const crashing = aProcess.map((process) =>
  step(`${process} dies and is started again`, async (database) => {
    pure.crash(database.model, database.owner(process));
    await database.restart(process);
  }),
);

function moved(...by: readonly number[]): fc.Arbitrary<Command> {
  return fc
    .constantFrom(...by)
    .map((milliseconds) =>
      step(`the clock goes ${milliseconds} ms`, async (database) => database.advance(milliseconds)),
    );
}

const year = 365 * 86_400_000;
const passing = moved(1, 5_000, 14_999, 15_000, 86_400_000);
/** As by hand, by a time server, or by a machine that slept. */
const stepping = moved(-1, -15_000, -3_600_000, -year, 3_600_000, year);

function text(picks: readonly Pick[]): string {
  return picks.map(({ action, decision }) => `${decision.type} ${action}`).join(", ") || "nothing";
}

/** Histories of so many commands at most; what leads on is more frequent than what ends things. */
export function histories(length: number): fc.Arbitrary<Iterable<Command>> {
  const weights: readonly (readonly [fc.Arbitrary<Command>, number])[] = [
    [opening, 2],
    [deciding, 6],
    [racing, 2],
    [closing, 1],
    [starting, 6],
    [finishing, 5],
    [waiting, 2],
    [working, 3],
    [crashing, 2],
    [passing, 2],
    [stepping, 1],
  ];
  const all = weights.flatMap(([command, weight]) => Array.from({ length: weight }, () => command));
  return fc.commands(all, { maxCommands: length, size: "max" });
}
