import { tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  idempotencyKeyOf,
  idempotent,
  type Probe,
  probeable,
  type ProbeRequest,
  type ProbeResult,
} from "../index.ts";
import { answerEach } from "./answer-each.ts";
import { cases, heldAgent, type Place, type TestAgent, turns } from "./set-up.ts";

const script = turns([{ name: "pay", args: { amount: 5 } }]);
type Keys = (string | undefined)[];

/** A tool that hangs when it is started first, so that its run is stopped in the middle of it. */
function hangingTool(keys: Keys, stop: () => void) {
  return tool(
    async (_args, config) => {
      keys.push(idempotencyKeyOf(config));
      if (keys.length > 1) return "paid at the second start";
      stop();
      return new Promise<string>(() => undefined);
    },
    { name: "pay", description: "pays", schema: z.object({ amount: z.number() }) },
  );
}

type Tool = ReturnType<typeof hangingTool>;
type Lost = { readonly ours: TestAgent; readonly keys: Keys; readonly place: Place };

/** A held call that was approved, and of which nobody knows what it did; then the thread goes on. */
async function lost(
  { open, mode }: (typeof cases)[number],
  declare: (tool: Tool) => Tool,
  allowed?: readonly ["approve", "edit"],
): Promise<Lost> {
  const ends = new AbortController();
  const keys: Keys = [];
  const place = await open();
  const ours = heldAgent(
    place,
    {
      interruptOn: { pay: allowed === undefined ? true : { allowedDecisions: [...allowed] } },
      interruptMode: mode,
    },
    { script, tools: [declare(hangingTool(keys, () => setImmediate(() => ends.abort())))] },
  );
  await ours.ask();
  const { id } = await ours.onlyPending();
  await ours
    .resume({ [id]: { decisions: [{ type: "approve" }] } }, { signal: ends.signal })
    .catch(() => undefined);
  expect(keys).toHaveLength(1);
  await ours.resume({ [id]: { decisions: [{ type: "approve" }] } });
  return { ours, keys, place };
}

async function resultOf(ours: TestAgent): Promise<string | undefined> {
  return (await ours.toolMessages()).at(-1)?.text;
}

const asked: ProbeRequest[] = [];
const says =
  (result: unknown): Probe =>
  (request) => {
    asked.push(request);
    return result as ProbeResult; // also what no probe should say
  };

describe.each(cases)("a call that was stopped in the middle ($variant, $mode)", (one) => {
  test("F8: is asked about when its tool declares nothing", async () => {
    const { ours, keys } = await lost(one, (pay) => pay);
    expect((await ours.pending()).at(-1)?.value).toMatchObject({ cause: "unknown_receipt" });
    expect(keys).toHaveLength(1);
  });

  test("F8: runs again with the same key when its tool is idempotent, and nobody is asked", async () => {
    const { ours, keys } = await lost(one, idempotent);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toMatch(/^call_[0-9a-f]{64}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(await ours.pending()).toEqual([]);
    expect(await resultOf(ours)).toBe("paid at the second start");
  });

  test.each([
    ["succeeded", "success"],
    ["failed", "error"],
  ] as const)("F8: has the result that its probe found (%s)", async (status, kind) => {
    asked.length = 0;
    const probe = says({ status, content: "what the bank says" });
    const { ours, keys } = await lost(one, (pay) => probeable(pay, probe));
    expect(keys).toHaveLength(1);
    expect(asked).toEqual([
      {
        name: "pay",
        args: { amount: 5 },
        idempotencyKey: keys[0],
        startedAt: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await ours.pending()).toEqual([]);
    expect((await ours.toolMessages()).at(-1)).toMatchObject({
      content: "what the bank says",
      status: kind,
    });
  });

  test("F8: runs when its probe found that nothing had happened", async () => {
    const { ours, keys } = await lost(one, (pay) =>
      probeable(pay, says({ status: "not_started" })),
    );
    expect(keys).toHaveLength(2);
    expect(await resultOf(ours)).toBe("paid at the second start");
  });

  test.each([
    ["does not know", says({ status: "unknown" })],
    ["says something else", says({ status: "succeeded" })],
    ["says nothing", says(undefined)],
    [
      "fails",
      () => {
        throw new Error("the bank does not answer");
      },
    ],
  ] as const)("F8: is asked about when its probe %s", async (_what, probe) => {
    const { ours, keys } = await lost(one, (pay) => probeable(pay, probe));
    expect(keys).toHaveLength(1);
    expect((await ours.pending()).at(-1)?.value).toMatchObject({ cause: "unknown_receipt" });
    await answerEach(ours, () => ({ type: "respond", message: "It was paid." }));
    expect(await resultOf(ours)).toContain("It was paid.");
    expect(keys).toHaveLength(1);
  });
});

test.each(cases.filter(({ variant }) => variant !== "MemorySaver"))(
  "the audit says that a probe settled a call, and that one was started again ($variant, $mode)",
  async (one) => {
    const bodiesOf = async ({ place }: Lost, type: string) => {
      const engine = place.holdpoint;
      const page = await engine?.reviews.list({ status: "settled", order: "oldest", limit: 1 });
      const id = page?.reviews[0]?.id ?? "";
      const events = await engine?.storage.read((reading) => reading.auditOf(id));
      return (events ?? []).filter((event) => event.type === type).map(({ body }) => body);
    };
    const found = says({ status: "succeeded", content: "paid" });
    const probed = await lost(one, (pay) => probeable(pay, found));
    expect(await bodiesOf(probed, "permit.succeeded")).toMatchObject([{ by: "probe" }]);
    const repeated = await lost(one, idempotent);
    const starts = await bodiesOf(repeated, "permit.started");
    expect(starts.map(({ fence, again }) => [fence, again])).toEqual([
      [1, undefined],
      [2, true],
    ]);
  },
);
