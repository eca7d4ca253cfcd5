import fc from "fast-check";
import { aDraft } from "../testing/review-draft.ts";
import { expectSame, verifyReview } from "./database.ts";
import { dueCommands } from "./due-commands.ts";
import * as pure from "./model.ts";
import {
  actionAt,
  aPick,
  aPlace,
  aProcess,
  aReviewer,
  type Command,
  decisions,
  expectOrder,
  onReview,
  pass,
  type Order,
  requestOf,
  step,
  text,
} from "./steps.ts";

/** How long a review may wait, in milliseconds; some may as long as it takes. */
const aLimit = fc.constantFrom(undefined, undefined, 0, 20_000, 20_000, 100_000_000, 100_000_000);

const opening = fc
  .tuple(aProcess, fc.constantFrom(1, 1, 2, 3), fc.boolean(), aLimit)
  .map(([process, actions, hosted, limit]): Command => ({
    check: () => true,
    run: async ({ drafts }, databases) => {
      const draft = aDraft(actions);
      drafts.push(draft);
      for (const database of databases) {
        const at = new Date(database.model.now + (limit ?? 0)).toISOString();
        const deadline = { at, outcome: "rejected" } as const;
        const mine = {
          ...draft,
          agent: database.agent,
          ...(limit === undefined ? {} : { deadline }),
        };
        const engine = database.engine(process);
        const expected = pure.open(database.model, mine, hosted);
        const { threadId, createdAt } = expected;
        if (hosted) {
          const thread = { id: threadId, agent: database.agent, createdAt, lastSeq: 0 };
          await engine.storage.write((writing) => writing.insertThread(thread));
        }
        expectSame(await engine.openReview(mine), expected, `opened in ${database.name}`);
        await pass(database, 0, process); // its deadline may be now
        await verifyReview(database, draft.id);
      }
    },
    toString: () =>
      `${process} opens ${actions}${hosted ? " on a hosted thread" : ""}${limit === undefined ? "" : ` for ${limit} ms`}`,
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
      const aFirst: Order = (model) => [pure.decide(model, a), pure.decide(model, b)];
      const bFirst: Order = (model) => [pure.decide(model, b), pure.decide(model, a)].toReversed();
      expectOrder(database, [aFirst, bFirst], found, "decided");
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
    ...dueCommands,
  ];
  const all = weights.flatMap(([command, weight]) => Array.from({ length: weight }, () => command));
  return fc.commands(all, { maxCommands: length, size: "max" });
}
