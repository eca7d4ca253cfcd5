import type { BaseCheckpointSaver, CheckpointTuple } from "@langchain/langgraph-checkpoint";

/** New input and the nodes before the model save a few checkpoints after the one that was paused. */
const mostSteps = 8;

/** The checkpoints of a thread's graph, the newest first, as far back as the pause that new input ended. */
export async function* recentCheckpoints(
  saver: BaseCheckpointSaver,
  place: { readonly threadId: string; readonly namespace: string },
): AsyncGenerator<CheckpointTuple> {
  const { threadId, namespace } = place;
  let tuple = await saver.getTuple({
    configurable: { thread_id: threadId, checkpoint_ns: namespace },
  });
  for (let step = 0; step < mostSteps && tuple !== undefined; step += 1) {
    yield tuple;
    const parent: CheckpointTuple["parentConfig"] = tuple.parentConfig;
    tuple = parent === undefined ? undefined : await saver.getTuple(parent);
  }
}
