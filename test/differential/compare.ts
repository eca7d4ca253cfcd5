import { playedAgent } from "./agent.ts";
import { graphOf } from "./graph.ts";
import {
  type Databases,
  type Ground,
  holdpointGround,
  memoryGround,
  slowMemoryGround,
} from "./grounds.ts";
import { play, type Played, type Sight } from "./play.ts";
import { hasSubgraph, type Program, programOf } from "./program.ts";
import { anyValue, below, json, message, type Random } from "./values.ts";

/** Plays the program of a seed on MemorySaver and on ours; gives what differs, and nothing when nothing does. */
export async function compareSeed(seed: number, databases: Databases): Promise<string | undefined> {
  const program = programOf(seed);
  const engine = await databases.engine(program.place);
  return comparePlays(program, memoryGround(), holdpointGround(engine));
}

/** The same for MemorySaver and a slower one, which must not differ. */
export function compareSlowly(seed: number): Promise<string | undefined> {
  return comparePlays(programOf(seed), memoryGround(), slowMemoryGround());
}

let plays = 0;

/** Plays a program on two grounds. */
export async function comparePlays(
  program: Program,
  one: Ground,
  other: Ground,
): Promise<string | undefined> {
  const sights = async (ground: Ground) =>
    play(played(program), program.operations, { ground, threadPrefix: `play-${(plays += 1)}-` });
  return differenceOf(program, await sights(one), await sights(other));
}

function played({ graph, durability }: Program): Played {
  if (graph === "deep agent") return playedAgent();
  return {
    graph: graphOf(graph, { visits: new Map(), held: [] }),
    durability,
    nodes: graph.nodes.map(({ name }) => name),
    canGo: !hasSubgraph(graph),
    input,
    resume: (random) => json(random, 2),
  };
}

function input(random: Random): Record<string, unknown> {
  const length = random() < 0.3 ? 8 + below(random, 3) : 1 + below(random, 2);
  const start = below(random, 1000);
  return {
    messages: Array.from({ length }, (_, index) => message(random, `i${start}-${index}`)),
    ...(random() < 0.2 ? { log: [anyValue(random)] } : {}),
    ...(random() < 0.2 ? { files: { "/input.md": json(random, 1) } } : {}),
    ...(random() < 0.1 ? { box: anyValue(random) } : {}),
  };
}

function differenceOf(
  program: Program,
  expected: readonly Sight[],
  actual: readonly Sight[],
): string | undefined {
  for (const [index, right] of expected.entries()) {
    const ours = actual[index];
    for (const part of ["outcome", "state", "history", "stored"] as const)
      if (right[part] !== ours?.[part])
        return [
          `Seed ${program.seed}: after operation ${index}, the ${part} differs.`,
          ...differentLines(right[part], ours?.[part] ?? '"nothing"'),
          JSON.stringify(program),
          `Only this seed: HOLDPOINT_SEED=${program.seed} npm test -- test/differential`,
        ].join("\n");
  }
  return undefined;
}

/** The first lines that differ, with the way that leads to them. */
function differentLines(expected: string, actual: string): readonly string[] {
  const [right, ours] = [expected, actual].map((text) =>
    JSON.stringify(JSON.parse(text), undefined, 1).split("\n"),
  ) as [string[], string[]];
  const at = right.findIndex((line, index) => line !== ours[index]);
  const start = at < 0 ? right.length : at;
  return [
    ...wayTo(right, start),
    ...right.slice(start, start + 14).map((line) => `  MemorySaver: ${line.slice(0, 160)}`),
    ...ours.slice(start, start + 14).map((line) => `  Holdpoint:   ${line.slice(0, 160)}`),
  ];
}

function wayTo(lines: readonly string[], end: number): readonly string[] {
  const way: string[] = [];
  for (const line of lines.slice(0, end)) {
    const depth = line.length - line.trimStart().length;
    way.length = Math.min(way.length, depth);
    way[depth] = line.slice(0, 100);
  }
  return way.map((line) => `  ${line}`);
}
