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
      file: "packages/langchain/src/checkpoints/written.ts",
      find: "reviews: reviewsIn(task.writes, { threadId, taskId }),",
      replace: "reviews: [],",
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
      find: "rows.permits.length > 0 && writing.insertPermits(rows.permits),",
      replace:
        "...rows.permits.map(async (permit) => {\n      if ((await writing.findPermit(permit.actionId)) === undefined) await writing.insertPermits([permit]);\n    }),",
    },
  ],
  // Who writes is told that it is done before it is on disk.
  "reply-before-commit": [
    {
      file: "packages/engine/src/storage/sqlite/group-commit.ts",
      find: 'failpoint("commit.before");',
      replace:
        'for (const acknowledge of acknowledgements) acknowledge();\n  await new Promise((resolve) => setImmediate(resolve));\n  failpoint("commit.before");',
    },
  ],
  // The tool may run while its permit is still being consumed.
  "tool-before-permit": [
    {
      file: "packages/engine/src/permits.ts",
      find: 'const started = await start(actionId, { type: "start", digest, again });',
      replace:
        'const seen = (await storage.look((reading) => reading.findPermit(actionId)))?.permit;\n        const consuming = start(actionId, { type: "start", digest, again });\n        const started: PermitResult = seen?.state.status === "unused" ? { type: "done", permit: { ...seen, fence: seen.fence + 1 } } : await consuming;',
    },
  ],
  // A permit that was used can be used again while its tool runs.
  "permit-used-twice": [
    {
      file: "packages/core/src/review/permit.ts",
      find: "if (!canStart(state.status, command.again === true)) {",
      replace:
        'if (state.status !== "started" && !canStart(state.status, command.again === true)) {',
    },
    {
      file: "packages/engine/src/permits.ts",
      find: 'return started.type === "refused" || held.take(started.permit) ? started : taken(actionId);',
      replace: 'if (started.type === "done") held.take(started.permit);\n        return started;',
    },
  ],
  // A start whose process died counts as never made.
  "lost-start-runs-again": [
    {
      file: "packages/core/src/review/permit.ts",
      find: 'state: { status: "unknown", startedAt: state.startedAt, endedAt: now },',
      replace: 'state: { status: "unused" },',
    },
  ],
  // The run that continues a decided thread is not written with the decision.
  "continue-forgotten": [
    {
      file: "packages/engine/src/reviews/save-review.ts",
      find: ".filter((threadId) => hosted.has(threadId))",
      replace: ".filter((threadId) => hosted.has(threadId) && Number(threadId.at(-1)) % 4 !== 0)",
    },
  ],
  // A permit changes without its audit event.
  "permit-unaudited": [
    {
      file: "packages/engine/src/change-permits.ts",
      find: "judged.filter((one) => !isLost(one)).flatMap(({ audit }) => audit ?? []),",
      replace:
        'judged.filter((one, index) => !isLost(one) && round[index]?.command.type !== "close").flatMap(({ audit }) => audit ?? []),',
    },
  ],
  // A reader keeps to the state that it saw first.
  "stale-reads": [
    {
      file: "packages/engine/src/storage/sqlite/sqlite.ts",
      find: "const reader = isInMemory ? undefined : connect(path);",
      replace: 'const reader = isInMemory ? undefined : connect(path);\n  reader?.exec("BEGIN");',
    },
  ],
  // A permit that ended unknown can be started by anybody, whatever its tool declares.
  "unknown-starts-again": [
    {
      file: "packages/core/src/review/permit.ts",
      find: '(again && status === "unknown")',
      replace: 'status === "unknown"',
    },
  ],
  // A COMMIT that the disk failed is acknowledged all the same.
  "failed-commit-acknowledged": [
    {
      file: "packages/engine/src/storage/sqlite/group-commit.ts",
      find: "if (reason !== undefined) writer.fail(error);",
      replace:
        "for (const acknowledge of acknowledgements) acknowledge();\n    if (reason !== undefined) writer.fail(error);",
    },
  ],
  // The connection is not tried and counts as well again at once.
  "unwell-unsaid": [
    {
      file: "packages/engine/src/storage/sqlite/writer.ts",
      find: "why = unwellNow(reasonOf(error));",
      replace: "why = undefined;",
    },
  ],
  // After a failure nobody tries again.
  "never-well-again": [
    {
      file: "packages/engine/src/storage/sqlite/writer.ts",
      find: "connection ??= connectionTo(open());",
      replace: 'throw new Error("it failed before");',
    },
  ],
  // A COMMIT in SQLite does not wait for the disk.
  "synchronous-normal": [
    {
      file: "packages/engine/src/storage/sqlite/connect.ts",
      find: '["synchronous", "FULL", 2],',
      replace: '["synchronous", "NORMAL", 1],',
    },
  ],
  // The same in Postgres: who writes is told before its COMMIT was even sent.
  "reply-before-commit-postgres": [
    {
      file: "packages/engine/src/storage/postgres/transactions.ts",
      find: "await commit(connection);\n        connection.release(false);",
      replace:
        "const { release } = connection;\n        setTimeout(() => void commit(connection).then(() => release(false), () => release(true)), 2);",
    },
  ],
  // A COMMIT whose connection broke counts as made.
  "unknown-commit-acknowledged": [
    {
      file: "packages/engine/src/storage/postgres/transactions.ts",
      find: 'throw failureOf(error) === "connection" ? unknownCommit(error) : error;',
      replace: 'if (failureOf(error) !== "connection") throw error;',
    },
  ],
  // What is found in the log of a process that died of its disk is taken for durable.
  "found-taken-for-durable": [
    {
      file: "packages/engine/src/storage/sqlite/sqlite.ts",
      find: 'database.exec("PRAGMA wal_checkpoint(PASSIVE)");',
      replace: "",
    },
  ],
  // Of a message only the texts at its top are compared with what it was: a change deep inside is missed.
  "shallow-comparison": [
    {
      file: "packages/langchain/src/checkpoints/messages.ts",
      find: "return firstDifference(one, other) === undefined;",
      replace:
        'const key = firstDifference(one, other);\n  return key === undefined || typeof Reflect.get(one, key) === "object";',
    },
  ],
  // A message that is remembered goes out itself: whoever changes it changes what is remembered.
  "cached-message-given-away": [
    {
      file: "packages/langchain/src/checkpoints/references.ts",
      find: "const copy = copyOf(was);",
      replace: "const copy = was;",
    },
  ],
  // A list that lost its last message is stored as the list before.
  "removed-last-message-stays": [
    {
      file: "packages/langchain/src/checkpoints/references.ts",
      find: "length <= same)",
      replace: "length <= same + 1)",
    },
  ],
  // What was added to a list is stored as if it had been added to another one.
  "link-on-the-wrong-list": [
    {
      file: "packages/langchain/src/checkpoints/references.ts",
      find: 'const hash = keep(JSON.stringify(added), before?.hash ?? "");',
      replace:
        'const hash = keep(JSON.stringify(added), (before && known[0]?.links.at(-1)?.hash) ?? "");',
    },
  ],
  // The order of the tasks of a step is not stored with what they wrote.
  "task-path-lost": [
    {
      file: "packages/langchain/src/checkpoints/written.ts",
      find: "    taskPath,\n    type: partType,",
      replace: '    taskPath: "",\n    type: partType,',
    },
  ],
  // A channel that nobody wrote is taken for what it was at first.
  "default-changed-in-place-lost": [
    {
      file: "packages/langchain/src/checkpoints/written.ts",
      find: 'typeof values[channel] === "object" ||',
      replace: "",
    },
  ],
  // What a message was made with is set on it when it is read, where it does not write itself down with it.
  "empty-field-forgotten": [
    {
      file: "packages/langchain/src/checkpoints/messages.ts",
      find: "const tree = written(empty);",
      replace: "const tree = short;",
    },
  ],
  // What a step shows is shown while it is being saved.
  "shown-before-saved": [
    {
      file: "packages/langchain/src/run/run-agent.ts",
      find: "(event) => (showsState(event) ? saved() : undefined)",
      replace: "() => undefined",
    },
  ],
  // A tool starts while the thread that asked for it is being saved.
  "tool-before-saved": [
    {
      file: "packages/langchain/src/run/run-agent.ts",
      find: "return this.#wait();",
      replace: "return Promise.resolve();",
    },
  ],
  // The review is committed by itself, and then the pause.
  "review-before-pause": [
    {
      file: "packages/langchain/src/checkpoints/checkpointer.ts",
      find: "await this.engine.checkpoints.save(all.map(({ now }) => now.save));",
      replace:
        "for (const { now } of all)\n        for (const { reviews } of now.save.tasks)\n          for (const review of reviews) await this.engine.openReview(review);\n      await this.engine.checkpoints.save(all.map(({ now: { save } }) => ({ ...save, tasks: save.tasks.map((task) => ({ ...task, reviews: [] })) })));",
    },
  ],
  // The pause is committed by itself, and then its review.
  "pause-before-review": [
    {
      file: "packages/langchain/src/checkpoints/checkpointer.ts",
      find: "await this.engine.checkpoints.save(all.map(({ now }) => now.save));",
      replace:
        "await this.engine.checkpoints.save(all.map(({ now: { save } }) => ({ ...save, tasks: save.tasks.map((task) => ({ ...task, reviews: [] })) })));\n      for (const { now } of all)\n        for (const { reviews } of now.save.tasks)\n          for (const review of reviews) await this.engine.openReview(review);",
    },
  ],
  // A graph that is not ahead of the disk does not wait for it either, but for its pauses and for what it reads.
  "returned-before-saved": [
    {
      file: "packages/langchain/src/checkpoints/checkpointer.ts",
      find: "await this.#commit(handed.key.threadId, [handed]);",
      replace:
        'Reflect.set(this, "late", this.#commit(handed.key.threadId, [handed]).catch(() => undefined));',
    },
    {
      file: "packages/langchain/src/checkpoints/checkpointer.ts",
      find: "const parked = this.#parking.park(key, task);",
      replace:
        'await Reflect.get(this, "late");\n    const parked = this.#parking.park(key, task);',
    },
    {
      file: "packages/langchain/src/checkpoints/checkpointer.ts",
      find: "if (id !== undefined) await ahead?.drain();",
      replace: 'await Reflect.get(this, "late");\n    if (id !== undefined) await ahead?.drain();',
    },
  ],
  // A step of which all tasks have written counts as saved.
  "unsaved-step-forgotten": [
    {
      file: "packages/langchain/src/run/next-input.ts",
      find: "return mayRun || isUnsaved",
      replace: "return mayRun",
    },
  ],
  // A call that a new message has ended gets no result.
  "result-left-out": [
    {
      file: "packages/langchain/src/history/repair-history.ts",
      find: "changes: [...(rewritten === undefined ? [] : [rewritten]), ...missing],",
      replace: "changes: rewritten === undefined ? [] : [rewritten],",
    },
    {
      file: "packages/langchain/src/history/repair-history.ts",
      find: "isReordered: others.length > 0 || (missing.length > 0 && turn.end < messages.length),",
      replace: "isReordered: others.length > 0,",
    },
  ],
  // A new message ends the question of a call, and leaves its review open.
  "withdrawal-forgotten": [
    {
      file: "packages/langchain/src/history/repair-history.ts",
      find: "await gate.holdpoint.closeReview(id, because);",
      replace: "void [id, because];",
    },
  ],
};
