import type { Decision, NamedDecision, ReviewView } from "@holdpoint/core";
import { expect, test } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { decidedReview, openReview } from "../testing/sample-review.ts";
import { answerInterrupt } from "./answer-interrupt.ts";

const approve: NamedDecision[] = [{ actionId: "act_1", decision: { type: "approve" } }];

/** Answers review 1 over a stream that refuses with `refusal`, when there is one. */
async function answer(after: ReviewView, refusal?: Error, interruptId?: "interrupt-1" | "none") {
  const server = fakeServer([after]);
  const sent: unknown[] = [];
  const taken: string[] = [];
  const submit = answerInterrupt({
    client: server.client,
    interruptId: interruptId === "none" ? undefined : "interrupt-1",
    review: openReview(1),
    reviewerId: "ann",
    onSending: (review) => taken.push(`sending ${review.id}`),
    respond: async (response, options) => {
      sent.push(response, options);
      if (refusal !== undefined) throw refusal;
    },
    onReview: (review, by) => taken.push(`${review.status} ${by}`),
  });
  return { result: await submit(approve), sent, taken, server };
}

function decidedBy(id: string, decision: Decision): ReviewView {
  return decidedReview(openReview(1), decision, { id, name: id });
}

test("decisions go out with the ids of their actions, to the interrupt by its id", async () => {
  const { result, sent, taken } = await answer(decidedBy("ann", { type: "approve" }));
  expect(sent).toEqual([
    { decisions: [{ type: "approve", actionId: "act_1" }] },
    { interruptId: "interrupt-1" },
  ]);
  expect(result.type).toBe("recorded");
  expect(taken).toEqual(["sending rev_1", "decided here"]);
});

test("whoever comes second is told who was first", async () => {
  const after = decidedBy("bo", { type: "reject" });
  const { result, taken } = await answer(after, new Error("already answered"));
  expect(result).toMatchObject({
    type: "refused",
    refusal: {
      code: "already_decided",
      details: { actionId: "act_1", by: "bo", decision: "reject" },
    },
  });
  expect(taken).toEqual(["sending rev_1", "decided elsewhere"]);
});

test("the same decision by somebody else first is a conflict too", async () => {
  const { result } = await answer(decidedBy("bo", { type: "approve" }), new Error("answered"));
  expect(result).toMatchObject({ type: "refused", refusal: { code: "already_decided" } });
});

test("a decision of one's own whose reply got lost counts as recorded", async () => {
  const after = decidedBy("ann", { type: "approve" });
  const { result, taken } = await answer(after, new TypeError("Failed to fetch"));
  expect(result.type).toBe("recorded");
  expect(taken).toEqual(["sending rev_1", "decided here"]);
});

test("a refusal of a review that is still open carries the server's sentence", async () => {
  const refusal = new Error("Protocol request failed: 422 Unprocessable Entity — Too much.");
  const { result, taken } = await answer(openReview(1), refusal);
  expect(result).toMatchObject({ type: "refused", refusal: { message: "Too much." } });
  expect(taken).toEqual(["sending rev_1", "open elsewhere"]);
});

test("no answer and a review still open means that nobody knows, and sending again is safe", async () => {
  const { result } = await answer(openReview(1), new TypeError("Failed to fetch"));
  expect(result).toEqual({ type: "unreachable" });
});

test("a review that the stream has not named is decided through the review API", async () => {
  const after = decidedBy("ann", { type: "approve" });
  const { result, sent, taken, server } = await answer(after, undefined, "none");
  expect(sent).toEqual([]);
  expect(server.requests).toEqual(["/api/reviews/rev_1/decisions"]);
  expect(result.type).toBe("recorded");
  expect(taken).toEqual(["sending rev_1", "decided here"]);
});
