import { type PermitResult } from "@holdpoint/core";
import { expect, test } from "vitest";
import { openEngine } from "../engine.ts";
import { type Child, startChild } from "../testing/child-process.ts";
import { approvedAction } from "../testing/review-draft.ts";
import { temporaryFile } from "../testing/temporary-engine.ts";

const script = new URL("../testing/engine-child.ts", import.meta.url);
const faulty = new URL("../../../../test/faults/apply-fault.mjs", import.meta.url);

/** A server of its own on this file; a fault is put into its sources. */
async function startOn(database: string, fault?: string): Promise<Child> {
  const options = `${process.env["NODE_OPTIONS"] ?? ""} --import=${faulty.href}`;
  const env = fault === undefined ? {} : { NODE_OPTIONS: options, HOLDPOINT_FAULT: fault };
  const child = startChild(script, [], env);
  while ((await child.next()) !== "ready"); // before, it says where its fault is
  child.send(JSON.stringify({ type: "open", database }));
  expect(await child.next()).toBe('"open"');
  return child;
}

/** What both are told when they start the same calls, one after the other, each at the same moment. */
async function startInBoth(fault?: string): Promise<readonly (readonly PermitResult["type"][])[]> {
  const database = `file:${temporaryFile()}`;
  const servers = [await startOn(database, fault), await startOn(database, fault)];
  const engine = await openEngine({ database });
  const told: PermitResult["type"][][] = [];
  for (let round = 0; round < 20; round += 1) {
    const { id: actionId, digest } = await approvedAction(engine);
    for (const server of servers) server.send(JSON.stringify({ type: "start", actionId, digest }));
    const answers = await Promise.all(servers.map((server) => server.next()));
    told.push(answers.map((text) => (JSON.parse(text) as PermitResult).type).toSorted()); // as it is written
  }
  await engine.close();
  return told;
}

test("F20: two servers on one SQLite file are one: of the same start in both, one runs", async () => {
  expect(await startInBoth()).toEqual(Array.from({ length: 20 }, () => ["done", "refused"]));
});

test("the check catches servers of which each lets a used permit start", async () => {
  expect(await startInBoth("permit-used-twice")).toContainEqual(["done", "done"]);
});
