import { accessChecks } from "./access-checks.ts";
import { auditChecks } from "./audit-checks.ts";
import type { StorageCheck } from "./check.ts";
import { checkpointChecks } from "./checkpoint-checks.ts";
import { deliveryChecks } from "./delivery-checks.ts";
import { eventChecks } from "./event-checks.ts";
import { instanceChecks } from "./instance-checks.ts";
import { permitChecks } from "./permit-checks.ts";
import { pruningChecks } from "./pruning-checks.ts";
import { replyChecks } from "./reply-checks.ts";
import { reviewChecks } from "./review-checks.ts";
import { runChecks } from "./run-checks.ts";
import { transactionChecks } from "./transaction-checks.ts";

export type { OpenStorage, StorageCheck } from "./check.ts";

/**
 * All that a storage promises: one that passes every check is an adapter. Any test framework will do:
 * `for (const { name, run } of storageChecks) test(name, () => run(open))`.
 */
export const storageChecks: readonly StorageCheck[] = [
  ...transactionChecks,
  ...reviewChecks,
  ...permitChecks,
  ...replyChecks,
  ...runChecks,
  ...eventChecks,
  ...deliveryChecks,
  ...checkpointChecks,
  ...pruningChecks,
  ...accessChecks,
  ...auditChecks,
  ...instanceChecks,
];
