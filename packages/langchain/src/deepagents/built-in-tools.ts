import { StateBackend } from "deepagents";

/** The tool that hands a request to a subagent. */
export const delegation = "task";

/** The tools that remote subagents bring. */
export const remoteTools = [
  "start_async_task",
  "check_async_task",
  "update_async_task",
  "cancel_async_task",
  "list_async_tasks",
] as const;

/** They only read, plan or delegate: a subagent's own calls meet a gate of their own. */
const harmless: readonly string[] = [
  "write_todos",
  "ls",
  "read_file",
  "glob",
  "grep",
  delegation,
  "check_async_task",
  "list_async_tasks",
  "cancel_async_task",
];

/** They change files, which matters once the files are not the thread's own. */
const writing: readonly string[] = ["write_file", "edit_file", "delete"];

/**
 * deepagents' own tools that need no asking when the developer says nothing of them: what only reads,
 * plans or delegates, and writing while the files live in the thread's own state. `execute`, remote
 * tasks, and writing to any other backend are left to `unlisted`.
 */
export function freeTools(backend: unknown): readonly string[] {
  const inState = backend === undefined || backend instanceof StateBackend;
  return inState ? [...harmless, ...writing] : harmless;
}
