import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, vi } from "vitest";
import { picture, type Stage } from "../stage.ts";

/** Holds the answers of both tabs until both have been sent, then lets them go in the order asked for. */
async function barrier(first: Page, second: Page): Promise<() => Promise<void>> {
  const held = new Map<Page, () => Promise<void>>();
  for (const page of [first, second]) {
    await page.route("**/commands", async (route) => {
      if (route.request().postDataJSON()?.method !== "input.respond") return route.continue();
      await new Promise<void>((resolve) =>
        held.set(page, async () => resolve(await route.continue())),
      );
    });
  }
  return async () => {
    await vi.waitFor(() => expect(held.size).toBe(2), 10_000);
    await Promise.all([held.get(first)?.(), held.get(second)?.()]);
    for (const page of [first, second]) await page.unroute("**/commands");
  };
}

async function begin(stage: Stage, page: Page, round: number): Promise<string> {
  const threadId = randomUUID();
  const content = `Save "round ${round}" to rounds/${round}.txt`;
  const started = await page.request.post(`${stage.server().url}/threads/${threadId}/commands`, {
    data: {
      id: 1,
      method: "run.start",
      params: {
        assistant_id: "assistant",
        input: { messages: [{ type: "human", content, id: randomUUID() }] },
      },
    },
  });
  expect(await started.json()).toMatchObject({ type: "success" });
  return threadId;
}

async function choose(page: Page, answer: "approve" | "reject"): Promise<void> {
  await page.getByTestId(answer).click();
  if (answer === "reject") await page.getByTestId("send-reject").click();
}

type State = { next: string[]; values: { messages: { type: string; tool_calls?: unknown[] }[] } };
type Settled = {
  reviews: { threadId: string; actions: { outcome: { type: string }; permit?: string }[] }[];
};

/**
 * Two tabs decide at the same moment, round after round: approve against approve and approve against
 * reject. Each time there is one outcome, one receipt and one continuation of the model.
 */
export async function twoTabsDecide(stage: Stage, rounds: number): Promise<void> {
  const pages = [await stage.context.newPage(), await stage.context.newPage()] as const;
  const won = { approved: 0, rejected: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const against = round % 2 === 0 ? "approve" : "reject";
    const [first, second] = round % 4 < 2 ? pages : ([pages[1], pages[0]] as const);
    const threadId = await begin(stage, first, round);
    for (const page of pages) await page.goto(`${stage.server().url}/chat/${threadId}`);
    const release = await barrier(first, second);
    await Promise.all([choose(pages[0], "approve"), choose(pages[1], against)]);
    await release();

    const state = await vi.waitFor(async () => {
      const read = (await (
        await first.request.get(`${stage.server().url}/threads/${threadId}/state`)
      ).json()) as State;
      expect(read.next).toEqual([]);
      return read;
    }, 15_000);
    const settled = (await (
      await first.request.get(`${stage.server().url}/api/reviews?status=settled`)
    ).json()) as Settled;
    const reviews = settled.reviews.filter((review) => review.threadId === threadId);
    expect(reviews).toHaveLength(1);
    const outcome = reviews[0]?.actions[0]?.outcome.type;
    const ran = stage.file(`rounds/${round}.txt`) !== undefined;
    expect({ outcome, ran, permit: reviews[0]?.actions[0]?.permit }).toEqual(
      ran
        ? { outcome: "approved", ran, permit: "succeeded" }
        : { outcome: "rejected", ran, permit: undefined },
    );
    const spoken = state.values.messages.filter(
      (message) => message.type === "ai" && (message.tool_calls ?? []).length === 0,
    );
    expect(spoken).toHaveLength(1);
    if (against === "reject") {
      won[ran ? "approved" : "rejected"] += 1;
      const loser = ran ? pages[1] : pages[0];
      await loser.getByTestId("conflict").waitFor();
      if (won.approved + won.rejected === 1) await picture(loser, "story-5-the-other-tab");
    }
  }
  expect(stage.starts()).toHaveLength(Math.ceil(rounds / 2) + won.approved);
  expect(won.approved, "an approval was first at least once").toBeGreaterThan(0);
  expect(won.rejected, "a rejection was first at least once").toBeGreaterThan(0);
}
