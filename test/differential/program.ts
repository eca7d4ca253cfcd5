import { pick, seeded } from "../reliability/seeded.ts";
import { below, type Random } from "./values.ts";

/** Where our saver keeps a program's threads. */
export type Place = "memory" | "file" | "postgres";

/** What a seed stands for: a graph, and what is done with it. */
export type Program = {
  readonly seed: number;
  readonly place: Place;
  /**
   * In "async" LangGraph hands a state over when the save before it is through, and with messages in a delta channel
   * when the input's writes are: a state that is changed in place meanwhile is a race with whichever saver, so then
   * nothing is changed in place while a graph runs.
   */
  readonly durability: "sync" | "exit" | "async";
  /** A graph of its own, or a deep agent. */
  readonly graph: GraphPlan | "deep agent";
  readonly operations: readonly Operation[];
};

/** True for a graph with a graph in it. */
export function hasSubgraph({ nodes }: GraphPlan): boolean {
  return nodes.some(({ subgraph: inner }) => inner !== undefined);
}

/** A graph without loops: each node leads to later ones. */
export type GraphPlan = {
  readonly messages: "reducer" | "delta";
  readonly nodes: readonly NodePlan[];
};

/** A node; `to` are later ones, all at once by edges, by one edge that waits for it, or by a Command of its own. */
export type NodePlan = {
  readonly name: string;
  readonly actions: readonly Action[];
  readonly to: readonly string[];
  readonly by: "edges" | "command";
  /** Tasks that it sends to the worker. */
  readonly sends: number;
  /** A graph in place of actions; one that keeps its own threads, or that of its parent's run. */
  readonly subgraph?: { readonly plan: GraphPlan; readonly keeps: boolean };
};

/** One thing a node does; what exactly follows from its draws and the state that it finds. */
export type Action = { readonly do: ActionName; readonly draw: number };

const harmless = [
  "append",
  "append",
  "append",
  "append-many",
  "replace",
  "remove",
  "remove-last",
  "remove-all",
  "return-message",
  "log",
  "log-many",
  "overwrite-log",
  "write-file",
  "write-file",
  "remove-file",
  "put-box",
  "add-delta",
  "ask",
  "ask",
  "hold",
  "return-held",
  "fail",
] as const;

const inPlace = [
  "edit-message",
  "edit-message",
  "edit-message",
  "edit-last-message",
  "edit-message-and-return",
  "edit-log",
  "edit-file",
  "edit-box",
  "edit-delta",
  "edit-held",
  "edit-held",
] as const;

/** The name of an action. */
export type ActionName = (typeof harmless)[number] | (typeof inPlace)[number];

/** What is done with a graph from outside. */
export type Operation = {
  readonly do: "say" | "resume" | "continue" | "command" | "update" | "travel" | "delete";
  readonly draw: number;
  readonly thread: "one" | "two";
  /** Our saver: the one there is, a new one with an empty memory, or another one on the same database. */
  readonly saver: "same" | "new" | "other";
  /** Before it, what the last operation returned is changed in place. */
  readonly editsResult: boolean;
  /** After it, the history is read too; after the last one always. Not always: what was read is remembered. */
  readonly readsHistory: boolean;
};

/** The program of a seed. */
export function programOf(seed: number): Program {
  const random = seeded(seed, "program");
  const durability = pick(random, ["sync", "sync", "exit", "async"] as const);
  const messages = random() < 0.2 ? "delta" : "reducer";
  const edits = durability !== "async" && messages !== "delta";
  const graph = seed % 40 === 11 ? "deep agent" : graphPlan(random, { messages, edits });
  const length = 3 + below(random, 3);
  return {
    seed,
    place: seed % 20 === 7 ? "postgres" : seed % 80 === 11 || seed % 20 === 13 ? "file" : "memory",
    durability,
    graph,
    operations: Array.from({ length }, (_, index) => operation(random, index)),
  };
}

function operation(random: Random, index: number): Operation {
  const later = [
    ...["say", "say", "say", "resume", "resume", "resume", "continue", "command"],
    ...["update", "update", "travel", "travel", "delete"],
  ] as Operation["do"][];
  return {
    do: index === 0 ? "say" : pick(random, later),
    draw: below(random, 1e6),
    thread: index > 0 && random() < 0.15 ? "two" : "one",
    saver: pick(random, ["same", "same", "same", "new", "other"] as const),
    editsResult: random() < 0.3,
    readsHistory: random() < 0.4,
  };
}

type Kind = { readonly messages: GraphPlan["messages"]; readonly edits: boolean };

function graphPlan(random: Random, kind: Kind, isOuter = true): GraphPlan {
  const length = isOuter ? 2 + below(random, 3) : 1 + below(random, 2);
  const names = ["a", "b", "c", "d"].slice(0, length);
  const withGraph = isOuter && random() < 0.3 ? pick(random, names) : undefined;
  // A subgraph waits for its saver, and what runs beside it does not: what both change in place would be a race,
  // and so would be how far it gets until the other fails. So nothing runs beside it.
  const isAlone = withGraph !== undefined;
  const nodes = names.map((name, index): NodePlan => {
    const later = names.slice(index + 1);
    const isFork = later.length > 2 && random() < 0.4;
    const by = later.length > 0 && random() < 0.3 ? "command" : "edges";
    const to = by === "command" ? later : later.slice(0, isFork ? 2 : 1);
    const sends = random() < 0.2 ? 1 + below(random, 3) : 0;
    const steps = actions(random, kind.edits);
    if (name === withGraph)
      return { name, to: to.slice(0, 1), by: "edges", sends: 0, ...subgraph(random, kind) };
    return isAlone
      ? { name, to: to.slice(0, 1), by, sends: 0, actions: steps }
      : { name, to, by, sends, actions: steps };
  });
  return { messages: kind.messages, nodes };
}

function subgraph(random: Random, kind: Kind) {
  return {
    actions: [],
    subgraph: { plan: graphPlan(random, kind, false), keeps: random() < 0.5 },
  };
}

function actions(random: Random, edits: boolean): readonly Action[] {
  const names: readonly ActionName[] = edits ? [...harmless, ...inPlace] : harmless;
  return Array.from({ length: 1 + below(random, 4) }, () => ({
    do: pick(random, names),
    draw: below(random, 1e6),
  }));
}
