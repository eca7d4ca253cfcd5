import { setImmediate as nextTick } from "node:timers/promises";
import { expect, test } from "vitest";
import { aDraft, anna, decideEach } from "../testing/review-draft.ts";
import { openTestEngine, temporaryFile } from "../testing/temporary-engine.ts";

test("F50: of a withdrawal and a start at the same moment one is first: nothing starts after it, and what had started is told so", async () => {
  const path = temporaryFile();
  const [first, second] = [await openTestEngine(path), await openTestEngine(path)];
  const ends = new Set<string>();
  for (let round = 0; round < 40 && (ends.size < 2 || round < 10); round += 1) {
    const review = await first.openReview(aDraft(2));
    const [action] = review.actions;
    if (action === undefined) throw new Error("a draft of two");
    const decisions = decideEach({ actions: [action] }, { type: "approve" });
    await first.decide({ reviewId: review.id, decisions, reviewer: anna });
    const starting = first.startPermit(action.id, action.digest);
    for (let ticks = round % 4; ticks > 0; ticks -= 1) await nextTick();
    const closing = second.closeReview(review.id, "the run was stopped");
    const [started] = await Promise.all([starting, closing]);
    const types = (await first.storage.read((reading) => reading.auditOf(review.id))).map(
      ({ type }) => type,
    );
    expect((await first.readReview(review.id))?.state.status).toBe("closed");
    const permit = await first.storage.read((reading) => reading.findPermit(action.id));
    if (started.type === "done") {
      expect(permit?.permit.state.status).toBe("started");
      expect(types).not.toContain("permit.revoked");
      const receipt = { status: "succeeded", message: { content: "sent" } } as const;
      const ended = await first.closePermit(action.id, started.permit.fence, receipt);
      expect(ended).toMatchObject({ type: "done", permit: { state: { status: "succeeded" } } });
    } else {
      expect(permit?.permit.state.status).toBe("revoked");
      expect(types).toContain("permit.revoked");
    }
    expect((await second.startPermit(action.id, action.digest)).type).toBe("refused");
    ends.add(started.type);
  }
  expect([...ends].toSorted()).toEqual(["done", "refused"]);
});
