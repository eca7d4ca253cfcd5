import type { ActionId, NamedDecision, Review } from "@holdpoint/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstBrokenEvent } from "./audit.ts";
import type { Engine } from "./engine.ts";
import type { AuditEvent } from "./storage/storage.ts";
import { foldOf, stateOf } from "./testing/audit-fold.ts";
import { aDraft, anna, ben } from "./testing/review-draft.ts";
import { openTestEngine } from "./testing/temporary-engine.ts";

function eventsOf(engine: Engine, stream: string): Promise<readonly AuditEvent[]> {
  return engine.storage.read((reading) => reading.auditOf(stream));
}

type Step =
  | {
      readonly type: "decide";
      readonly index: number;
      readonly decision: NamedDecision["decision"];
      readonly by: typeof anna;
    }
  | { readonly type: "close" }
  | { readonly type: "start" | "suspend" | "end"; readonly index: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("decide" as const),
      index: fc.nat({ max: 2 }),
      decision: fc.constantFrom<NamedDecision["decision"]>(
        { type: "approve" },
        { type: "reject" },
        { type: "respond", message: "ok" },
      ),
      by: fc.constantFrom(anna, ben),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ type: "close" as const }) },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constantFrom("start" as const, "suspend" as const, "end" as const),
      index: fc.nat({ max: 2 }),
    }),
  },
);

async function take(engine: Engine, review: Review, step: Step): Promise<void> {
  if (step.type === "close") return engine.reviews.closeReview(review.id, "superseded");
  const action = review.actions[step.index % review.actions.length];
  if (action === undefined) return;
  const id: ActionId = action.id;
  if (step.type === "decide") {
    await engine.decide({
      reviewId: review.id,
      decisions: [{ actionId: id, decision: step.decision }],
      reviewer: step.by,
    });
  } else if (step.type === "start") {
    await engine.startPermit(id, action.digest);
  } else {
    const fence =
      (await engine.storage.read((reading) => reading.findPermit(id)))?.permit.fence ?? 0;
    if (step.type === "suspend") await engine.suspendPermit(id, fence);
    else await engine.closePermit(id, fence, { status: "failed", message: { content: "x" } });
  }
}

describe("P8: a review is the fold of its events", () => {
  /** `see` is how the events are seen; a seeded fault hides some. */
  function foldHolds(
    engine: Engine,
    see: (events: readonly AuditEvent[]) => readonly AuditEvent[],
  ) {
    return fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.array(anyStep, { maxLength: 12 }),
      async (count, steps) => {
        const review = await engine.openReview(aDraft(count));
        for (const step of steps) await take(engine, review, step);
        const events = await eventsOf(engine, review.id);
        expect(firstBrokenEvent(events)).toBeUndefined();
        expect(foldOf(see(events))).toEqual(stateOf(await engine.reviews.view(review.id)));
      },
    );
  }

  test("whatever was done", async () => {
    await fc.assert(
      foldHolds(await openTestEngine(), (events) => events),
      { numRuns: 60 },
    );
  });

  test.each([
    "action.decided",
    "review.closed",
    "permit.started",
    "permit.failed",
    "permit.suspended",
  ])("the property catches a change that leaves no %s event", async (forgotten) => {
    const hide = (events: readonly AuditEvent[]) =>
      events.filter((event) => event.type !== forgotten);
    await expect(
      fc.assert(foldHolds(await openTestEngine(), hide), { numRuns: 100, seed: 1 }),
    ).rejects.toThrow("Property failed");
  });
});
