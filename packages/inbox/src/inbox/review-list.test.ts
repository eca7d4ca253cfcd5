import { expect, test } from "vitest";
import { decidedReview, openReview } from "../testing/sample-review.ts";
import { type FakeServer, fakeServer } from "../testing/fake-server.ts";
import { createReviewList, type ReviewList } from "./review-list.ts";

let signedOut = 0;

function listOn(server: FakeServer, pageSize = 2): ReviewList {
  return createReviewList({
    client: server.client,
    status: "open",
    order: "newest",
    pageSize,
    onSignedOut: () => (signedOut += 1),
  });
}

function ready(list: ReviewList) {
  const state = list.get();
  if (state.status !== "ready") throw new Error("The list is still loading.");
  return state;
}

function idsOf(list: ReviewList): string[] {
  return ready(list).rows.map(({ review }) => review.id);
}

test("pages are added on request and all of them are kept up to date", async () => {
  const server = fakeServer([1, 2, 3, 4, 5].map((number) => openReview(number)));
  const list = listOn(server);
  await list.refresh();
  expect(idsOf(list)).toEqual(["rev_1", "rev_2"]);
  expect(ready(list)).toMatchObject({ count: 2, more: true });
  await list.loadMore();
  await list.loadMore();
  expect(ready(list)).toMatchObject({ count: 5, more: false });
  server.reviews = server.reviews.slice(1);
  await list.refresh();
  expect(idsOf(list)).toEqual(["rev_2", "rev_3", "rev_4", "rev_5"]);
});

test("a page asked for during a refresh is not lost to it", async () => {
  const server = fakeServer([1, 2, 3, 4].map((number) => openReview(number)));
  const list = listOn(server);
  await Promise.all([list.refresh(), list.loadMore(), list.refresh()]);
  expect(idsOf(list)).toEqual(["rev_1", "rev_2", "rev_3", "rev_4"]);
});

test("a lost connection keeps what is shown and says so until it is back", async () => {
  const server = fakeServer([openReview(1)]);
  const list = listOn(server);
  await list.refresh();
  server.trouble = "unreachable";
  await list.refresh();
  expect(idsOf(list)).toEqual(["rev_1"]);
  expect(ready(list).connection).toEqual({ type: "unreachable" });
  server.trouble = "broken";
  await list.refresh();
  expect(ready(list).connection).toEqual({ type: "refused", message: "It is internal." });
  server.trouble = "none";
  await list.refresh();
  expect(ready(list).connection).toEqual({ type: "online" });
});

test("an answer that nobody is signed in is passed on", async () => {
  const server = fakeServer();
  server.trouble = "signed_out";
  signedOut = 0;
  await listOn(server).refresh();
  expect(signedOut).toBe(1);
});

test("an opened review that somebody else decides stays and says who", async () => {
  const server = fakeServer([openReview(1), openReview(2)]);
  const list = listOn(server);
  await list.refresh();
  list.open("rev_2");
  server.reviews = [openReview(1), decidedReview(openReview(2))];
  await list.refresh();
  const row = ready(list).rows[1];
  expect(row?.left).toBe(true);
  expect(row?.review.actions[0]?.recorded?.reviewer.name).toBe("Bo");
  list.open(undefined);
  expect(idsOf(list)).toEqual(["rev_1"]);
});

test("an opened review that was approved is followed until its call has ended", async () => {
  const server = fakeServer([openReview(1), openReview(2)]);
  const list = listOn(server);
  await list.refresh();
  list.open("rev_2");
  const decided = decidedReview(openReview(2));
  const actions = decided.actions.map((action) => ({ ...action, permit: "unused" as const }));
  list.replace({ ...decided, actions });
  server.reviews = [openReview(1), { ...decided, actions }];
  await list.refresh();
  expect(ready(list).rows[1]?.review.actions[0]?.permit).toBe("unused");
  server.reviews = [openReview(1), decided];
  await list.refresh();
  expect(ready(list).rows[1]?.review.actions[0]?.permit).toBe("succeeded");
  const asked = server.requests.length;
  await list.refresh();
  expect(server.requests.length).toBe(asked + 1); // the list only
});

test("a review that did not change stays the same object", async () => {
  const server = fakeServer([openReview(1)]);
  const list = listOn(server);
  await list.refresh();
  const before = ready(list).rows[0]?.review;
  await list.refresh();
  expect(ready(list).rows[0]?.review).toBe(before);
});

test("an answer in the order before the switch is not shown", async () => {
  const server = fakeServer([openReview(1), openReview(2)]);
  const list = listOn(server);
  const late = list.refresh();
  while (server.requests.length === 0) await Promise.resolve(); // under way
  list.setOrder("oldest");
  await late;
  expect(list.get().status).toBe("loading");
  await list.refresh();
  expect(idsOf(list)).toEqual(["rev_2", "rev_1"]);
});
