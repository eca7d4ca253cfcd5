import type { ActionId, Digest, Permit, PermitState, ReviewId } from "@holdpoint/core";
import type { StoredPermit } from "../storage.ts";
import { optionalText, type Row } from "./row.ts";

/** A permit with its review and the lease of whoever runs the tool, from its row. */
export function permitFrom(row: Row): StoredPermit {
  const owner = optionalText(row.lease_owner);
  const until = optionalText(row.lease_until);
  return {
    permit: barePermitFrom(row),
    reviewId: row.review_id as ReviewId,
    ...(owner === undefined || until === undefined ? {} : { lease: { owner, until } }),
    ...(row.outdated === 1 || row.outdated === true ? { isOutdated: true } : {}),
  };
}

/** The permit alone. */
export function barePermitFrom(row: Row): Permit {
  return {
    actionId: row.action_id as ActionId, // written by us under these types
    digest: row.digest as Digest,
    fence: Number(row.fence),
    state: JSON.parse(String(row.state)) as PermitState,
  };
}
