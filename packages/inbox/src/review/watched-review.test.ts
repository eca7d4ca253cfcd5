import { expect, test } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { decidedReview, openReview } from "../testing/sample-review.ts";
import { watchReview } from "./watched-review.ts";

const noop = (): void => undefined;

test("a review is read until nothing about it can change", async () => {
  const server = fakeServer([openReview(1)]);
  const watched = watchReview(server.client, "rev_1", noop);
  await watched.refresh();
  expect(watched.get()).toMatchObject({ status: "found", review: { status: "open" } });
  server.reviews = [decidedReview(openReview(1))];
  await watched.refresh();
  await watched.refresh();
  expect(watched.get()).toMatchObject({ status: "found", review: { status: "decided" } });
  expect(server.requests).toHaveLength(2);
});

test("an unknown review is missing; an unreachable server is not", async () => {
  const server = fakeServer();
  const watched = watchReview(server.client, "rev_9", noop);
  server.trouble = "unreachable";
  await watched.refresh();
  expect(watched.get()).toEqual({ status: "loading", reachable: false });
  server.trouble = "none";
  await watched.refresh();
  expect(watched.get()).toEqual({ status: "missing" });
});

test("a lost connection keeps the review that is shown", async () => {
  const server = fakeServer([openReview(1)]);
  const watched = watchReview(server.client, "rev_1", noop);
  await watched.refresh();
  server.trouble = "unreachable";
  await watched.refresh();
  expect(watched.get()).toMatchObject({ status: "found", reachable: false });
});
