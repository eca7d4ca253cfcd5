import { openEngine } from "@holdpoint/engine";
import { bundle } from "./bundle.ts";
import type { Answered, Calling, ConflictMessage } from "./conflict-messages.ts";
import type { Ground } from "./ground.ts";
import { contradictionsOf } from "./history.ts";
import type { Trouble, TroubleFigures } from "./postgres-trouble.ts";
import { startWorker } from "./process.ts";
import { unitOf } from "./unit.ts";

/** How many clients, over how many processes, decide how many reviews. */
export type Conflicts = {
  readonly seed: number;
  readonly processes: number;
  readonly clients: number;
  readonly reviews: number;
  readonly freshGround: () => Promise<Ground>;
  /** Puts something between the clients and the database; it begins after the first reviews. */
  readonly trouble?: (database: string) => Promise<Trouble>;
  /** A mistake from the seeded faults, for negative controls. */
  readonly fault?: string;
};

/** What they were told. */
export type ConflictFigures = {
  readonly decided: number;
  readonly winners: number;
  /** Answers that name another as the winner, and looks at the review. */
  readonly losers: number;
  readonly looks: number;
  /** Reviews for which clients of more than one process were told that somebody else won. */
  readonly contested: number;
  readonly trouble: TroubleFigures | undefined;
  readonly violations: readonly string[];
};

/** How many reviews are decided at the same time; in trouble one, so that it may meet each decision. */
const atOnce = { calm: 5, inTrouble: 1 } as const;

/** Lets all clients decide all reviews, a few at a time, and checks the history of each. */
export async function conflicts(options: Conflicts): Promise<ConflictFigures> {
  const { seed, reviews, processes, clients } = options;
  const together = options.trouble === undefined ? atOnce.calm : atOnce.inTrouble;
  const units = Array.from({ length: reviews }, (_, index) => index + 1);
  const ground = await options.freshGround();
  const engine = await openEngine({ database: ground.database });
  await Promise.all(units.map((unit) => engine.openReview(unitOf(seed, unit).draft)));
  const code = await bundle(new URL("./decider.ts", import.meta.url), options.fault);
  const deciders = Array.from({ length: processes }, (_, index) => ({
    process: startWorker<ConflictMessage>(code),
    clients: namesOf(index, clients / processes),
  }));
  await Promise.all(deciders.map(({ process }) => process.printed("ready")));
  const trouble = await options.trouble?.(ground.database);
  const database = trouble?.database ?? ground.database;
  for (let round = 0; round * together < reviews; round += 1) {
    const some = units.slice(round * together, (round + 1) * together);
    for (const { process, clients: mine } of deciders)
      process.send({ database, seed, round, units: some, clients: mine });
    await Promise.all(deciders.map(({ process }) => process.printed(`done ${round}`)));
    trouble?.begin();
  }
  const troubles = await trouble?.end();
  const deaths = await Promise.all(deciders.map(({ process }) => process.kill()));
  const said = deaths.flatMap(({ messages }) => messages);
  const answers = said.filter((message): message is Answered => "answered" in message);
  const calls = said.filter((message): message is Calling => message.type === "calling");
  const [answersOf, callsOf] = [
    Map.groupBy(answers, ({ unit }) => unit),
    Map.groupBy(calls, ({ unit }) => unit),
  ];
  const violations = deaths.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
  for (const unit of units) {
    const review = await engine.readReview(unitOf(seed, unit).draft.id);
    const [action] = review?.actions ?? [];
    const stored =
      action?.state.status === "decided"
        ? `${action.state.recorded?.reviewer.name} ${action.state.recorded?.decision.type}`
        : "open";
    const found = contradictionsOf({
      answers: answersOf.get(unit) ?? [],
      calls: callsOf.get(unit) ?? [],
      stored,
    });
    violations.push(...found.map((problem) => `unit ${unit}: ${problem}`));
  }
  violations.push(...(await ground.problems()));
  await engine.close();
  await code.remove();
  await ground.remove();
  return { ...figuresOf(answers), trouble: troubles, violations };
}

function namesOf(process: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `client-${process}-${index}`);
}

function figuresOf(answers: readonly Answered[]): Omit<ConflictFigures, "violations" | "trouble"> {
  const unitsWith = (type: Answered["type"]): Answered[] =>
    answers.filter((answer) => answer.type === type);
  const winners = new Set(unitsWith("won").map(({ unit, client }) => `${unit} ${client}`));
  const processes = new Map<number, Set<string>>();
  for (const { unit, client } of unitsWith("lost")) {
    const known = processes.get(unit) ?? new Set();
    processes.set(unit, known.add(client.split("-")[1] ?? ""));
  }
  return {
    decided: new Set(unitsWith("won").map(({ unit }) => unit)).size,
    winners: winners.size,
    losers: unitsWith("lost").length,
    looks: unitsWith("looked").length,
    contested: [...processes.values()].filter((some) => some.size > 1).length,
  };
}
