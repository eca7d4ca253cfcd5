// The parts of a soak: what each counts at full size, in which pieces, and which mistakes it must find. Pieces
// have seeds of their own, except for the kills, where the cycle gives the rest.
import { type CrashablePostgres, startServer } from "../harness/postgres.ts";
import { powerCuts } from "../power-loss/power-cuts.ts";
import { powerFaults, record, roundsRecorded } from "../power-loss/record.ts";
import { type ConflictFigures, conflicts, type Conflicts } from "../reliability/conflicts.ts";
import { engineTrial } from "../reliability/engine-trial.ts";
import type { Figures } from "../reliability/figures.ts";
import { freshSqlite, type Ground } from "../reliability/ground.ts";
import { cyclesOfOne, killCycles } from "../reliability/kill-cycles.ts";
import { graphControls } from "../reliability/graphs/graph-controls.ts";
import { graphTrial } from "../reliability/graphs/graph-trial.ts";
import {
  negativeControls,
  type NegativeControl,
  postgresControl,
} from "../reliability/negative-controls.ts";
import { postgresGrounds } from "../reliability/postgres-ground.ts";
import { makeTrouble } from "../reliability/postgres-trouble.ts";
import type { Trial } from "../reliability/trial.ts";
import type { Control, Counted } from "./counted.ts";
import type { Piece } from "./progress.ts";

/** A part of the soak. */
export type Part = {
  readonly name: string;
  /** Where its figures stand in the page. */
  readonly place: string;
  readonly unit: "kills" | "reviews" | "cuts";
  readonly size: number;
  readonly pieceSize: number;
  /** The script whose code is tried. */
  readonly script: URL;
  readonly faults: readonly string[];
  /** Tries an engine with a mistake. */
  readonly control: (fault: string, seed: number) => Promise<Control>;
  /** Does pieces, in any order, and tells of each when it is done. */
  readonly run: (
    pieces: readonly Piece[],
    seed: number,
    done: (piece: Piece, counted: Counted) => void,
  ) => Promise<void>;
};

/** All parts; who has run some calls `end`. */
export function createParts(): {
  readonly parts: readonly Part[];
  readonly end: () => Promise<void>;
} {
  let server: Promise<CrashablePostgres> | undefined;
  let grounds: Promise<() => Promise<Ground>> | undefined;
  const postgres = (): Promise<CrashablePostgres> => (server ??= startServer());
  const freshPostgres = async (): Promise<Ground> => {
    grounds ??= postgres().then(({ url }) => postgresGrounds(url));
    return (await grounds)();
  };
  const trouble =
    (seed: number): NonNullable<Conflicts["trouble"]> =>
    async (database) =>
      makeTrouble(await postgres(), database, seed);
  return {
    parts: [
      {
        ...killsOf({ trial: engineTrial, freshGround: freshSqlite, mistakes: negativeControls }),
        name: "kills-sqlite",
        place: "kill -9 on SQLite",
        size: 10_000,
      },
      {
        ...killsOf({ trial: engineTrial, freshGround: freshPostgres, mistakes: [postgresControl] }),
        name: "kills-postgres",
        place: "kill -9 on Postgres",
        size: 10_000,
      },
      {
        ...killsOf({ trial: graphTrial, freshGround: freshSqlite, mistakes: graphControls }),
        name: "graphs-sqlite",
        place: "kill -9 of agents on SQLite",
        size: 2_500,
      },
      {
        ...killsOf({ trial: graphTrial, freshGround: freshPostgres, mistakes: [postgresControl] }),
        name: "graphs-postgres",
        place: "kill -9 of agents on Postgres",
        size: 1_000,
      },
      {
        ...conflictsOn(() => ({ freshGround: freshSqlite })),
        name: "conflicts-sqlite",
        place: "conflicts on SQLite",
        size: 1_000,
        pieceSize: 100,
        faults: ["second-decision-wins", "stale-reads"],
      },
      {
        ...conflictsOn((seed) => ({ freshGround: freshPostgres, trouble: trouble(seed) })),
        name: "conflicts-postgres",
        place: "conflicts on Postgres",
        size: 100, // a crash takes longer than a hundred decisions
        pieceSize: 10,
        faults: ["unknown-commit-acknowledged"],
      },
      powerLoss,
    ],
    end: async () => (await server)?.stop(),
  };
}

/** Kills on one database: of the worker that drives the engine, or of the one with real agents. */
type Kills<Entry extends { readonly type: string }, Effect> = {
  readonly trial: Trial<Entry, Effect>;
  readonly freshGround: () => Promise<Ground>;
  readonly mistakes: readonly NegativeControl[];
};

function killsOf<Entry extends { readonly type: string }, Effect>({
  trial,
  freshGround,
  mistakes,
}: Kills<Entry, Effect>): Omit<Part, "name" | "place" | "size"> {
  return {
    unit: "kills",
    pieceSize: cyclesOfOne,
    script: trial.script,
    faults: mistakes.map(({ fault }) => fault),
    control: async (fault, seed) => {
      const mistake = mistakes.find((one) => one.fault === fault);
      const cycles = mistake?.cycles ?? 60;
      const found = await killCycles(trial, { seed, cycles, freshGround, fault });
      const isFound = found.violations.some((text) => mistake?.violation.test(text) === true);
      const after = `after ${found.cycles} kill${found.cycles === 1 ? "" : "s"}`;
      return { what: mistake?.what ?? fault, fault, found: isFound ? after : undefined };
    },
    run: async (pieces, seed, done) => {
      const wanted = new Map(pieces.map((piece) => [piece.number, piece]));
      const cycles = Math.max(0, ...pieces.map(({ number, size }) => number * cyclesOfOne + size));
      const numbers = Array.from({ length: Math.ceil(cycles / cyclesOfOne) }, (_, index) => index);
      await killCycles(trial, {
        seed,
        cycles,
        freshGround,
        done: new Set(numbers.filter((number) => !wanted.has(number))),
        onDatabase: (number, figures) => {
          const piece = wanted.get(number);
          if (piece !== undefined) done(piece, countedKills(figures));
        },
      });
    },
  };
}

function countedKills(figures: Figures): Counted {
  return {
    counts: {
      kills: figures.cycles,
      "acknowledgements of every kind": figures.promises,
      "of these, decisions": figures.decisions,
      "tool runs": figures.effects,
      "receipts that ended `unknown`": figures.unknown,
    },
    killedAt: Object.fromEntries(figures.killsAt),
    violations: figures.violations,
  };
}

/** How many reviews are decided over a mistake. */
const contendedOver = 15;

function conflictsOn(
  where: (seed: number) => Pick<Conflicts, "freshGround" | "trouble">,
): Pick<Part, "unit" | "script" | "control" | "run"> {
  const contend = (seed: number, reviews: number, fault?: string): Promise<ConflictFigures> =>
    conflicts({
      seed,
      processes: 4,
      clients: 64,
      reviews,
      ...where(seed),
      ...(fault === undefined ? {} : { fault }),
    });
  return {
    unit: "reviews",
    script: new URL("../reliability/decider.ts", import.meta.url),
    control: async (fault, seed) =>
      controlOf(fault, (await contend(seed, contendedOver, fault)).violations),
    run: async (pieces, seed, done) => {
      for (const piece of pieces) {
        const found = await contend(seed + piece.number, piece.size);
        done(piece, countedConflicts(found));
        if (found.violations.length > 0) return;
      }
    },
  };
}

function countedConflicts({ trouble, ...found }: ConflictFigures): Counted {
  const troubles = trouble && {
    "COMMITs that did not arrive": trouble.cutBefore,
    "COMMITs that were not answered": trouble.cutAfter,
    "crashes of the server": trouble.crashes,
  };
  return {
    counts: {
      "reviews, each decided by 64 clients in 4 processes": found.decided,
      ...troubles,
      winners: found.winners,
      "answers that somebody else was first, and who": found.losers,
      "looks at a review before or after": found.looks,
      "reviews that clients of several processes lost": found.contested,
    },
    killedAt: {},
    violations: found.violations,
  };
}

const powerLoss: Part = {
  name: "power",
  place: "power loss on SQLite",
  unit: "cuts",
  size: 2_000,
  pieceSize: 200,
  script: engineTrial.script,
  faults: powerFaults,
  control: async (fault, seed) => {
    const found = await powerCuts(await record(seed, roundsRecorded, fault), 100, seed);
    return controlOf(fault, found.violations);
  },
  run: async (pieces, seed, done) => {
    for (const { number, size } of pieces) {
      const own = seed + number;
      const found = await powerCuts(await record(own, roundsRecorded), size, own);
      const counted: Counted = {
        counts: {
          recordings: 1,
          "writes recorded": found.writes,
          "syncs recorded": found.syncs,
          "acknowledgements of every kind in the recordings": found.acknowledged,
          "of these, decisions": found.decisions,
          "power cuts": found.cuts,
          "of these, with something lost or torn": found.lossy,
          "acknowledgements looked up after the cuts": found.lookedUp,
        },
        killedAt: {},
        violations: found.violations,
      };
      done({ number, size }, counted);
      if (found.violations.length > 0) return;
    }
  },
};

function controlOf(fault: string, violations: readonly string[]): Control {
  return { what: "", fault, found: violations.length > 0 ? "yes" : undefined };
}
