import assert from "node:assert/strict";
import type { Permit, ReviewId } from "@holdpoint/core";
import type { Lease, Storage } from "../storage.ts";
import { check, rivals, type StorageCheck } from "./check.ts";
import { aLease, aPermit, aReview, hardJson, late, past, soon, started } from "./samples.ts";

/** What is promised of permits and the leases on them. */
export const permitChecks: readonly StorageCheck[] = [
  check("a permit is saved only over the fence and the status that were seen", async (storage) => {
    const { unused, reviewId } = await insert(storage);
    const lease = aLease();
    const next = started(unused);
    assert.equal(await save(storage, next, { ...unused, fence: 1 }, lease), false);
    const suspended = { status: "suspended", startedAt: past } as const;
    assert.equal(await save(storage, next, { ...unused, state: suspended }, lease), false);
    assert.deepEqual(await find(storage, unused), { permit: unused, reviewId });
    assert.equal(await save(storage, next, unused, lease), true);
    assert.equal(await save(storage, next, unused, lease), false);
    assert.deepEqual(await find(storage, unused), { permit: next, reviewId, lease });
    const state = { status: "failed", startedAt: past, endedAt: past, message: hardJson } as const;
    assert.equal(await save(storage, { ...next, state }, next, undefined), true);
    assert.deepEqual(await find(storage, unused), { permit: { ...next, state }, reviewId });
  }),

  check("of permits saved together it is told which were as they were seen", async (storage) => {
    const { unused: first } = await insert(storage);
    const { unused: changed } = await insert(storage);
    const { unused: last } = await insert(storage);
    await save(storage, started(changed), changed, aLease());
    const before = await find(storage, changed);
    const [one, other] = [aLease(), aLease()];
    const saved = await storage.write((writing) =>
      writing.savePermits([
        { permit: started(first), over: first, lease: one },
        { permit: { ...started(changed), fence: 7 }, over: changed, lease: aLease() },
        { permit: started(last), over: last, lease: other },
      ]),
    );
    assert.deepEqual([...saved].toSorted(), [first.actionId, last.actionId].toSorted());
    assert.deepEqual((await find(storage, first))?.lease, one);
    assert.deepEqual((await find(storage, last))?.lease, other);
    assert.deepEqual(await find(storage, changed), before);
  }),

  check("started permits whose lease is over are found, and no others", async (storage) => {
    const [{ unused: over }, { unused: none }, { unused: held }, { unused: idle }] = [
      await insert(storage),
      await insert(storage),
      await insert(storage),
      await insert(storage),
    ];
    await save(storage, started(over), over, aLease(soon));
    await save(storage, started(none), none, undefined);
    await save(storage, started(held), held, aLease(late));
    const lapsedAt = (at: string, limit: number) =>
      storage.read((reading) => reading.lapsedPermits(at, limit));
    const found = new Set(await lapsedAt(soon, 10_000));
    const mine = [over, none, held, idle].map(({ actionId }) => found.has(actionId));
    assert.deepEqual(mine, [true, true, false, false]);
    assert.ok(!(await lapsedAt(past, 10_000)).includes(over.actionId));
    assert.equal((await lapsedAt(soon, 1)).length, 1);
  }),

  check("of starts at once exactly one gets the permit, and holds its lease", async (storage) => {
    const { unused, reviewId } = await insert(storage);
    const leases = rivals.map(() => aLease());
    const won = await Promise.all(
      leases.map((lease) => save(storage, started(unused), unused, lease)),
    );
    assert.equal(won.filter(Boolean).length, 1);
    const lease = leases[won.indexOf(true)];
    assert.deepEqual(await find(storage, unused), { permit: started(unused), reviewId, lease });
  }),

  check("the leases of an owner are renewed and expired, and nobody else's", async (storage) => {
    const [own, other] = [aLease(soon), aLease(soon)];
    const { unused: mine } = await insert(storage);
    const { unused: theirs } = await insert(storage);
    const { unused: unheld } = await insert(storage);
    await save(storage, started(mine), mine, own);
    await save(storage, started(unheld), unheld, own);
    await save(storage, started(theirs), theirs, other);
    const untilOf = async (permit: Permit) => (await find(storage, permit))?.lease?.until;
    await storage.write((writing) =>
      writing.renewLeases(
        { ...own, until: late },
        { runs: [], permits: [mine, theirs].map((permit) => permit.actionId) },
      ),
    );
    assert.deepEqual(
      [await untilOf(mine), await untilOf(theirs), await untilOf(unheld)],
      [late, soon, soon],
    );
    const now = await storage.write(async (writing) => {
      await writing.expireLeases(own.owner);
      return writing.now;
    });
    assert.deepEqual([await untilOf(mine), await untilOf(theirs)], [now, soon]);
    const owners = await storage.read((reading) => reading.leaseOwners());
    assert.ok(owners.includes(own.owner) && owners.includes(other.owner));
  }),
];

async function insert(storage: Storage): Promise<{ unused: Permit; reviewId: ReviewId }> {
  const review = aReview();
  await storage.write(async (writing) => {
    await writing.insertReview(review);
    await writing.insertPermits([aPermit(review)]);
  });
  return { unused: aPermit(review), reviewId: review.id };
}

function save(
  storage: Storage,
  permit: Permit,
  seen: Permit,
  lease: Lease | undefined,
): Promise<boolean> {
  return storage.write(async (writing) =>
    (await writing.savePermits([{ permit, over: seen, lease }])).has(permit.actionId),
  );
}

function find(storage: Storage, { actionId }: Permit) {
  return storage.read((reading) => reading.findPermit(actionId));
}
