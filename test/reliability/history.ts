// Whether the calls on one action can have happened one after the other, each at a moment between its
// call and its answer. An action is decided once and for good, so its whole history has one such moment
// that matters: when the decision took effect. It must lie after the winner called and after everybody
// called who still saw it open, and before anybody was told of it.
import type { Answered, Calling } from "./conflict-messages.ts";

/** All that was asked and answered about one action, and what the database holds in the end. */
export type History = {
  readonly answers: readonly Answered[];
  readonly calls: readonly Calling[];
  readonly stored: string;
};

/** What contradicts one winner and one order of things; nothing when the history is linearizable. */
export function contradictionsOf({ answers, calls, stored }: History): readonly string[] {
  const failed = answers.filter(({ type }) => type === "failed").map(({ says }) => says);
  const told = answers.filter(({ type, says }) => type !== "failed" && says !== "open");
  const sawOpen = answers.filter(({ type, says }) => type !== "failed" && says === "open");
  const problems = [...failed];
  const winners = new Set([stored, ...told.map(({ says }) => says)]);
  if (winners.size > 1) problems.push(`several decisions stand: ${[...winners].join("; ")}`);
  const won = new Set(answers.filter(({ type }) => type === "won").map(({ client }) => client));
  if (won.size > 1) problems.push(`several were told that they won: ${[...won].join(", ")}`);
  const winning = calls.filter(({ wants }) => wants === stored).map(({ called }) => called);
  if (winning.length === 0) problems.push(`"${stored}" stands, and nobody asked for it`);
  const earliest = Math.max(Math.min(...winning), ...sawOpen.map(({ called }) => called));
  const latest = Math.min(...told.map(({ answered }) => answered));
  if (earliest > latest)
    problems.push("it was seen open, or not even asked for, after somebody was told the decision");
  return problems;
}
