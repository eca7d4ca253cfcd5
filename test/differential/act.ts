import { type BaseMessage, RemoveMessage } from "@langchain/core/messages";
import { interrupt, Overwrite, REMOVE_ALL_MESSAGES } from "@langchain/langgraph";
import { pick } from "../reliability/seeded.ts";
import { isMessage } from "../../packages/langchain/src/checkpoints/messages.ts";
import { editInPlace, isDeep } from "./edit-in-place.ts";
import type { Action } from "./program.ts";
import { anyValue, below, draws, json, message, type Random, text } from "./values.ts";

/** The state of every generated graph. */
export type State = {
  readonly messages: BaseMessage[];
  readonly log: unknown[];
  readonly files: Record<string, unknown>;
  readonly box: unknown;
  readonly delta: unknown[];
};

/** What a node gives back. */
export type Update = Record<string, unknown>;

/** What lasts as long as a program runs: how often each action was visited, and objects that it kept hold of. */
export type Play = { readonly visits: Map<Action, number>; readonly held: unknown[] };

/** Does what a node is to do. */
export function act(actions: readonly Action[], state: State, play: Play): Update {
  const update: Update = {};
  for (const action of actions) {
    const visit = (play.visits.get(action) ?? 0) + 1;
    play.visits.set(action, visit);
    perform(action, { state, play, update, random: draws(action.draw, visit) });
  }
  return update;
}

type Scene = {
  readonly state: State;
  readonly play: Play;
  readonly update: Update;
  readonly random: Random;
};

function perform(action: Action, scene: Scene): void {
  const { state, play, update, random } = scene;
  const { messages } = state;
  const say = (...said: readonly BaseMessage[]) => add(update, "messages", said);
  const freshId = () => `m${action.draw}-${below(random, 1000)}`;
  const some = <Value>(values: readonly Value[], then: (value: Value) => void): void => {
    if (values.length > 0) then(pick(random, values));
  };
  switch (action.do) {
    case "append":
      return say(message(random, freshId()));
    case "append-many":
      return say(...Array.from({ length: 5 + below(random, 3) }, () => message(random, freshId())));
    case "replace":
      return some(messages, ({ id }) => say(message(random, String(id))));
    case "remove":
      return some(messages, ({ id }) => say(new RemoveMessage({ id: String(id) })));
    case "remove-last":
      return some(messages.slice(-1), ({ id }) => say(new RemoveMessage({ id: String(id) })));
    case "remove-all":
      return say(new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), message(random, freshId()));
    case "return-message":
      return some(messages, (one) => say(one));
    case "log":
      return add(update, "log", [anyValue(random)]);
    case "log-many":
      return add(
        update,
        "log",
        Array.from({ length: 10 }, () => json(random, 2)),
      );
    case "overwrite-log":
      update["log"] = new Overwrite([anyValue(random)]);
      return;
    case "write-file":
      return write(update, pick(random, paths), anyValue(random, 1));
    case "remove-file":
      return some(Object.keys(state.files), (path) => write(update, path, null));
    case "put-box":
      update["box"] = anyValue(random);
      return;
    case "add-delta":
      return add(update, "delta", [anyValue(random, 2)]);
    case "ask":
      return add(update, "log", [
        interrupt({ question: json(random, 2), messages: messages.slice(-1) }),
      ]);
    case "hold":
      return some([...messages, ...state.log, state.box, state.files].filter(isDeep), (one) => {
        play.held.push(one);
      });
    case "return-held":
      return some(play.held.filter(isMessage), (one) => say(one));
    case "fail":
      if (random() < 0.3) throw new Error(text(random).slice(0, 40));
      return;
    case "edit-message":
      return some(messages, (one) => editInPlace(random, one));
    case "edit-last-message":
      return editInPlace(random, messages.at(-1));
    case "edit-message-and-return":
      return some(messages, (one) => {
        editInPlace(random, one);
        say(one);
      });
    case "edit-log":
      return editInPlace(random, state.log);
    case "edit-file":
      return editInPlace(random, state.files);
    case "edit-box":
      return editInPlace(random, state.box);
    case "edit-delta":
      return editInPlace(random, state.delta);
    case "edit-held":
      return some(play.held, (one) => editInPlace(random, one));
    default:
      action.do satisfies never;
  }
}

const paths = ["/notes.md", "/a/b.txt", "/src/main.ts"];

function add(update: Update, channel: string, values: readonly unknown[]): void {
  const before = update[channel];
  update[channel] = [...(Array.isArray(before) ? (before as unknown[]) : []), ...values];
}

function write(update: Update, path: string, content: unknown): void {
  update["files"] = { ...(update["files"] as object | undefined), [path]: content };
}
