import { describe, expect, test } from "vitest";
import { placeOf, type PlacedFacts, waitingPlaces, whatStays } from "./what-stays.ts";

/** `b<a` is checkpoint b with the parent a; `sub/b` is one in another namespace. */
function checkpoint(text: string, facts: Partial<PlacedFacts> = {}): PlacedFacts {
  const [name = "", parentId] = text.split("<");
  const [namespace = "", id = ""] = name.includes("/") ? name.split("/") : ["", name];
  const parent = parentId === undefined ? {} : { parentId };
  return { threadId: "t", namespace, id, ...parent, holds: [], lacks: [], rebuilt: [], ...facts };
}

function stays(
  found: readonly PlacedFacts[],
  keep: Parameters<typeof whatStays>[1] = {},
  waiting: readonly string[] = [],
): readonly string[] {
  const places = whatStays(
    found,
    keep,
    new Set(waiting.map((id) => placeOf({ namespace: "", id }))),
  );
  return found.filter((one) => places.has(placeOf(one))).map(({ namespace, id }) => namespace + id);
}

const line = ["1", "2<1", "3<2", "4<3", "5<4"];
const delta = { lacks: ["log", "other"], rebuilt: ["log"] };

describe("of a thread's checkpoints", () => {
  test.each<[string, readonly PlacedFacts[], Parameters<typeof whatStays>[1], readonly string[]]>([
    ["the newest stays", line.map((one) => checkpoint(one)), {}, ["5"]],
    [
      "the newest stays, however few are wanted",
      line.map((one) => checkpoint(one)),
      { last: 0 },
      ["5"],
    ],
    [
      "so many of the newest stay",
      line.map((one) => checkpoint(one)),
      { last: 3 },
      ["3", "4", "5"],
    ],
    [
      "the newest of each namespace stays",
      ["1", "s/1", "s/2<1", "3<1"].map((one) => checkpoint(one)),
      {},
      ["s2", "3"],
    ],
    [
      "the end of each branch stays",
      ["1", "2<1", "3<2", "4<1", "5<4"].map((one) => checkpoint(one)),
      {},
      ["3", "5"],
    ],
    [
      "what is young stays, and what has no time",
      [
        checkpoint("1", { at: "2026-01-01" }),
        checkpoint("2<1", { at: "2026-01-03" }),
        checkpoint("3<2"),
        checkpoint("4<3", { at: "2026-01-02" }),
      ],
      { since: "2026-01-03" },
      ["2", "3", "4"],
    ],
    [
      "a value is rebuilt from the one that holds it",
      [
        checkpoint("1", delta),
        checkpoint("2<1", { ...delta, lacks: [], holds: ["log"] }),
        checkpoint("3<2", delta),
        checkpoint("4<3", delta),
      ],
      {},
      ["2", "3", "4"],
    ],
    [
      "a value that none holds is rebuilt from the first",
      ["1", "2<1", "3<2"].map((one) => checkpoint(one, delta)),
      {},
      ["1", "2", "3"],
    ],
    [
      "a value is rebuilt also where the checkpoint itself does not say so",
      [
        checkpoint("1", { holds: ["log"] }),
        checkpoint("2<1", delta),
        checkpoint("3<2", { lacks: ["log"] }),
      ],
      {},
      ["1", "2", "3"],
    ],
    [
      "a channel that is just empty needs nothing",
      ["1", "2<1", "3<2"].map((one) => checkpoint(one, { lacks: ["log"] })),
      {},
      ["3"],
    ],
    [
      "a parent that is gone is no error",
      [checkpoint("2<1", delta), checkpoint("3<2", delta)],
      {},
      ["2", "3"],
    ],
  ])("%s", (_name, found, keep, expected) => {
    expect(stays(found, keep)).toEqual(expected);
  });

  test("what waits for an answer stays, wherever it is", () => {
    const found = line.map((one) => checkpoint(one));
    expect(stays(found, {}, ["2"])).toEqual(["2", "5"]);
    expect(stays(found, {}, [])).toEqual(["5"]);
  });
});

test("a checkpoint waits when one of its tasks does, whatever the others have done", () => {
  const written = [
    { namespace: "", id: "1", taskId: "a", channel: "asks" },
    { namespace: "", id: "1", taskId: "b", channel: "done" },
    { namespace: "", id: "2", taskId: "a", channel: "asks" },
    { namespace: "", id: "2", taskId: "a", channel: "done" },
    { namespace: "s", id: "2", taskId: "a", channel: "asks" },
  ];
  const waiting = waitingPlaces(written, (channels) => channels.join() === "asks");
  expect([...waiting].toSorted()).toEqual([`["","1"]`, `["s","2"]`]);
});
