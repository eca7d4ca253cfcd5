import { expect, test } from "vitest";
import { type FakeServer, fakeServer } from "../testing/fake-server.ts";
import { decidedReview, openReview } from "../testing/sample-review.ts";
import { createWaitingReviews, type WaitingReviews } from "./waiting-reviews.ts";

let time = 0;
const named = ["rev_1" as const];
const approval = {
  decisions: [{ actionId: "act_1" as const, decision: { type: "approve" as const } }],
  reviewerId: "bo",
};

function emptyOn(server: FakeServer): WaitingReviews {
  const { client } = server;
  const options = { client, threadId: "thread-1", onSignedOut: () => undefined, now: () => time };
  const waiting = createWaitingReviews(options);
  waiting.reached({ message: "m1", request: "h1" });
  return waiting;
}

async function waitingOn(server: FakeServer): Promise<WaitingReviews> {
  const waiting = emptyOn(server);
  waiting.name(named);
  await waiting.refresh();
  return waiting;
}

function statusOf(waiting: WaitingReviews): string | undefined {
  return waiting.get()[0]?.status;
}

test("a review decided here leaves when another message follows", async () => {
  const server = fakeServer([openReview(1)]);
  const waiting = await waitingOn(server);
  expect(statusOf(waiting)).toBe("open");
  waiting.take(decidedReview(openReview(1)), "here");
  waiting.reached({ message: "m1", request: "h1" });
  expect(statusOf(waiting)).toBe("settled");
  waiting.reached({ message: "m2", request: "h1" });
  expect(statusOf(waiting)).toBe("past");
});

test("a review decided here leaves at once when the conversation went on before the answer came", async () => {
  const waiting = await waitingOn(fakeServer([openReview(1)]));
  waiting.sending(openReview(1), approval);
  waiting.reached({ message: "m2", request: "h1" });
  expect(statusOf(waiting)).toBe("open");
  waiting.take(decidedReview(openReview(1)), "here");
  expect(statusOf(waiting)).toBe("past");
});

test("a review decided here leaves also when a reading shows the decision before its answer does", async () => {
  const server = fakeServer([openReview(1)]);
  const waiting = await waitingOn(server);
  waiting.sending(openReview(1), approval);
  server.reviews = [decidedReview(openReview(1))];
  await waiting.refresh();
  expect(statusOf(waiting)).toBe("settled");
  waiting.reached({ message: "m2", request: "h1" });
  expect(statusOf(waiting)).toBe("past");
});

test("whoever sent a decision and came second still reads who was first", async () => {
  const server = fakeServer([openReview(1)]);
  const waiting = await waitingOn(server);
  waiting.sending(openReview(1), { ...approval, reviewerId: "ann" });
  server.reviews = [decidedReview(openReview(1))];
  await waiting.refresh();
  waiting.reached({ message: "m2", request: "h1" });
  waiting.take(decidedReview(openReview(1)), "elsewhere");
  expect(statusOf(waiting)).toBe("settled");
});

test("while a run is on, an open review of the thread is found before the stream names it", async () => {
  const other = { ...openReview(2), threadId: "thread-2" };
  const waiting = emptyOn(fakeServer([openReview(1), other]));
  await waiting.refresh();
  await waiting.refresh();
  expect(waiting.get()).toEqual([]);
  waiting.running(true);
  await waiting.refresh();
  await waiting.refresh();
  expect(waiting.get()).toEqual([]); // the stream gets its chance first
  time += 1000;
  await waiting.refresh();
  expect(waiting.get()).toMatchObject([{ reviewId: "rev_1", status: "open" }]);
  waiting.name(named);
  expect(waiting.get()).toHaveLength(1);
});

test("what a tool asks by itself is found under its interrupt, which names no review", async () => {
  const waiting = emptyOn(fakeServer([openReview(1)]));
  waiting.unnamed([openReview(1).interruptId, "interrupt-of-nobody"]);
  expect(waiting.unanswerable.get()).toEqual([]); // nobody has looked yet
  await waiting.refresh();
  expect(waiting.get()).toMatchObject([{ reviewId: "rev_1", status: "open" }]);
  expect(waiting.unanswerable.get()).toEqual(["interrupt-of-nobody"]);
  waiting.unnamed([]);
  expect(waiting.unanswerable.get()).toEqual([]);
});

test("a review decided elsewhere stays until the person goes on, so that it can be read", async () => {
  const server = fakeServer([openReview(1)]);
  const waiting = await waitingOn(server);
  server.reviews = [decidedReview(openReview(1))];
  await waiting.refresh();
  waiting.reached({ message: "m2", request: "h1" });
  expect(statusOf(waiting)).toBe("settled");
  waiting.reached({ message: "m3", request: "h2" });
  expect(statusOf(waiting)).toBe("past");
});

test("an interrupt that was answered before the page saw it shows nothing", async () => {
  const waiting = await waitingOn(fakeServer([decidedReview(openReview(1))]));
  expect(statusOf(waiting)).toBe("past");
});

test("the stream naming a review again changes nothing", async () => {
  const server = fakeServer([openReview(1)]);
  const waiting = await waitingOn(server);
  const before = waiting.get();
  waiting.name(named);
  await waiting.refresh();
  expect(waiting.get()).toBe(before);
});

test("a late reading does not open a settled review again", async () => {
  const waiting = await waitingOn(fakeServer([openReview(1)]));
  waiting.take(decidedReview(openReview(1)), "here");
  waiting.take(openReview(1), "elsewhere");
  expect(statusOf(waiting)).toBe("settled");
});

test("a server in trouble keeps the place of the card and says why", async () => {
  const server = fakeServer([openReview(1)]);
  server.trouble = "broken";
  const waiting = await waitingOn(server);
  expect(waiting.get()[0]).toMatchObject({ status: "loading", problem: "It is internal." });
  server.trouble = "none";
  await waiting.refresh();
  expect(statusOf(waiting)).toBe("open");
});
