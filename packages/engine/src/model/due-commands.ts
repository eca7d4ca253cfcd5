import type { Review } from "@holdpoint/core";
import fc from "fast-check";
import { type Database, verifyReview } from "./database.ts";
import * as pure from "./model.ts";
import { failure, nextDue } from "./outbox.ts";
import {
  aProcess,
  aReviewer,
  type Command,
  decisions,
  expectOrder,
  expireAll,
  pass,
  requestOf,
  step,
  text,
} from "./steps.ts";
import { endKept, redriveAll, tell, topics, verifyDeliveries } from "./telling.ts";

/** How late in a race the deadline comes: after so many looks at the clock. */
const readings = fc.integer({ min: 1, max: 6 });

/** A decision and an expiry at one moment, which is that of the deadline: it is as if one had come first. */
const expiring = fc
  .tuple(decisions, aReviewer, readings, fc.boolean())
  .map(([picks, reviewer, after, isLate]) =>
    step(`A decides ${text(picks)} while B expires`, async (database) => {
      const review = [...database.model.reviews.values()].findLast((one) => waits(database, one));
      if (review === undefined) return;
      await pass(database, leftFor(database, review) - 1, "B");
      const request = requestOf(review, picks, reviewer);
      const passed = database.advanceAfter(after);
      const early = isLate ? database.engine("B").deadlines.expire() : undefined;
      const [found] = await Promise.all([
        database.engine("A").decide(request),
        early ?? database.engine("B").deadlines.expire(),
      ]);
      passed();
      await expireAll(database, "B");
      const orders = [0, 1, 2].map((turn) => (model: pure.Model) => {
        if (turn > 0) model.now += 1;
        if (turn > 1) pure.expire(model);
        const decided = pure.decide(model, request);
        if (turn === 0) model.now += 1;
        pure.expire(model);
        return decided;
      });
      expectOrder(database, orders, found, "decided at the deadline");
      await verifyReview(database, review.id);
    }),
  );

function waits(database: Database, review: Review): boolean {
  return review.state.status === "open" && leftFor(database, review) > 0;
}

function leftFor({ model }: Database, { deadline }: Review): number {
  return deadline === undefined ? 0 : Date.parse(deadline.at) - model.now;
}

const passing = fc
  .tuple(aProcess, fc.constantFrom(1, 5_000, 14_999, 15_000, 1_200_000, 86_400_000))
  .map(([process, milliseconds]) =>
    step(`${milliseconds} ms pass and ${process} expires`, (database) =>
      pass(database, milliseconds, process),
    ),
  );

const year = 365 * 86_400_000;

/** The clock is set, as by hand, by a time server, or by a machine that slept. */
const setting = fc
  .tuple(aProcess, fc.constantFrom(-1, -15_000, -3_600_000, -year, 3_600_000, year))
  .map(([process, milliseconds]) =>
    step(`the clock is set by ${milliseconds} ms and ${process} expires`, (database) =>
      pass(database, milliseconds, process),
    ),
  );

/** A process tells what is due, or waits until something is; a lease that is over is due as well. */
const telling = fc
  .tuple(
    aProcess,
    fc.constantFrom(...topics),
    fc.constantFrom("takes", "fails", "fails", "keeps", "keeps"),
    fc.constantFrom(false, true, true),
  )
  .map(([process, topic, manner, waits]) =>
    step(
      `${process} ${waits ? "waits and " : ""}tells ${topic}; it ${manner}`,
      async (database) => {
        const { outbox, now } = database.model;
        const next = nextDue(outbox, topic) ?? now;
        if (waits && next > now) await pass(database, next - now, process);
        await tell(database, process, topic, manner);
      },
    ),
  );

const ending = fc
  .tuple(aProcess, fc.constantFrom(undefined, failure))
  .map(([process, error]) =>
    step(
      `${process} is done with what it kept${error === undefined ? "" : ", and failed"}`,
      (database) => endKept(database, process, error),
    ),
  );

const redriving = aProcess.map((process) =>
  step(`${process} redrives`, (database) => redriveAll(database, process)),
);

const crashing = fc.tuple(aProcess, fc.boolean()).map(([process, isDeath]) =>
  step(`${process} ${isDeath ? "dies" : "leaves"} and is started again`, async (database) => {
    pure.crash(database.model, database.owner(process), isDeath);
    await database.restart(process, isDeath);
    await verifyDeliveries(database);
  }),
);

/** Deadlines, deliveries, deaths and the time, and how often each comes. */
export const dueCommands: readonly (readonly [fc.Arbitrary<Command>, number])[] = [
  [expiring, 4],
  [passing, 2],
  [setting, 1],
  [telling, 8],
  [ending, 3],
  [redriving, 1],
  [crashing, 2],
];

/** In the end whoever is left tells everything, and everything stands as the model says. */
export const concluding: Command = step("in the end all is told", async (database) => {
  await redriveAll(database, "A");
  await pass(database, 86_400_000, "A");
  for (const topic of topics) await tell(database, "A", topic, "takes");
  for (const id of database.model.reviews.keys()) await verifyReview(database, id);
});
