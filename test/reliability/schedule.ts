import { type Failpoint, failpoints } from "../../packages/engine/src/failpoint.ts";
import { seeded } from "./seeded.ts";

/** When a worker is killed: at the n-th time it reaches a named point, or so many milliseconds after its start. */
export type Kill =
  | { readonly type: "point"; readonly point: Failpoint | "any"; readonly times: number }
  | { readonly type: "moment"; readonly milliseconds: number };

/** Reached at most once in a life, so waiting for a second time would be in vain. */
const rare: ReadonlySet<string> = new Set([
  "write.expireLeases",
  "write.releaseRun",
  "write.insertReplies",
]);

/** The kill of a cycle: two of three visit the named points in turn, the third is random. */
export function killOf(seed: number, cycle: number): Kill {
  return killAmong(failpoints, {
    milliseconds: 150,
    times: (point) => (rare.has(point) ? 1 : 8),
  })(seed, cycle);
}

/** The same for a worker that comes by these points so many times, and lives for about so many milliseconds. */
export function killAmong(
  points: readonly Failpoint[],
  life: { readonly milliseconds: number; readonly times: (point: Failpoint) => number },
): (seed: number, cycle: number) => Kill {
  return (seed, cycle) => {
    const random = seeded(seed, "kill", cycle);
    if (cycle % 3 === 2) {
      return random() < 0.5
        ? { type: "point", point: "any", times: 1 + Math.floor(random() * 150) }
        : { type: "moment", milliseconds: Math.floor(random() * life.milliseconds) };
    }
    const visit = Math.floor(cycle / 3) * 2 + (cycle % 3);
    const point = points[visit % points.length] ?? "commit.before";
    const most = life.times(point);
    const isFirst = most === 1 || random() < 0.5; // no life is sure to come by a second time
    return { type: "point", point, times: isFirst ? 1 : 1 + Math.floor(random() * most) };
  };
}

/** How the worker is told of it: a moment is the harness's own business. */
export function failpointOf(kill: Kill): string | undefined {
  return kill.type === "point" ? `${kill.point}@${kill.times}` : undefined;
}
