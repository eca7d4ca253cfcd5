// Seeded faults: each puts one mistake into the product's source as it is loaded, so that a harness can
// be seen to fail on it. A fault whose text is not found any more is an error, never a silent pass.

/** @typedef {{ readonly file: string, readonly find: string, readonly replace: string }} Change */

/** @type {Readonly<Record<string, readonly Change[]>>} */
export const faults = {
  // The rules let everything run.
  "gate-open": [
    {
      file: "packages/core/src/policy/evaluate.ts",
      find: "const matched = ruleFor(compiled, tool);",
      replace:
        'if (tool !== "") return { verdict: { type: "allow", rule: "fault", reason: "fault" } };\n  const matched = ruleFor(compiled, tool);',
    },
  ],
  // The pause is stored without the review that would let a person end it.
  "review-not-opened": [
    {
      file: "packages/langchain/src/checkpoints/checkpointer.ts",
      find: "const reviews = reviewsIn(writes, { threadId, taskId });",
      replace: "const reviews: readonly ReviewDraft[] = [];",
    },
  ],
  // A run that nobody knows the end of is simply started again.
  "unknown-runs-again": [
    {
      file: "packages/langchain/src/tool/settle-unknown.ts",
      find: 'if (declared === undefined) return { type: "ask" };',
      replace: "if (declared === undefined) return again(task, lost);",
    },
  ],
  // The second decision replaces the first.
  "second-decision-wins": [
    {
      file: "packages/core/src/review/transition.ts",
      find: 'if (action.state.status !== "open") {',
      replace: 'if (action.state.status === "closed") {',
    },
    {
      file: "packages/engine/src/reviews/save-review.ts",
      find: "return writing.insertPermit({",
      replace:
        "if ((await writing.findPermit(effect.actionId)) !== undefined) return;\n      return writing.insertPermit({",
    },
  ],
};
