import type { ActionRecord } from "@holdpoint/core";
import { barePermitFrom } from "./permit-row.ts";
import { reviewFrom } from "./review-row.ts";
import type { Row } from "./row.ts";

/** The columns of `ActionRecord`: those of the review `r`, and of the action `a` and its permit `p`, if it has one. */
export const actionRecordColumns = `r.*, a.id AS action_id,
  p.action_id AS permit_of, p.digest AS permit_digest, p.fence AS permit_fence, p.state AS permit_state`;

/** An action with its review and its permit, from one row. */
export function actionRecordFrom(row: Row): ActionRecord | undefined {
  const review = reviewFrom(row);
  const action = review.actions.find(({ id }) => id === row.action_id);
  if (action === undefined) return undefined;
  if (typeof row.permit_of !== "string") return { review, action, permit: undefined };
  const permit = barePermitFrom({
    action_id: row.permit_of,
    digest: row.permit_digest,
    fence: row.permit_fence,
    state: row.permit_state,
  });
  return { review, action, permit };
}
