import type { Reviewer } from "@holdpoint/core";

/** Who answers when a bare `Command({ resume })` carries the decisions. */
export const resumer: Reviewer = { id: "resume", name: "Command({ resume })" };
