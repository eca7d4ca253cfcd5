import type { NegativeControl } from "../negative-controls.ts";

/** The mistakes that runs of real agents must not make; each is put in on purpose, and must be found. */
export const graphControls: readonly NegativeControl[] = [
  {
    what: "shows a step while it is being saved",
    fault: "shown-before-saved",
    violation: /not kept: .*("by":"values"|"type":"checkpoint")/,
  },
  {
    what: "starts a tool while the thread that asks for it is being saved",
    fault: "tool-before-saved",
    violation: /started, but nothing asked for it/,
  },
  {
    what: "commits a review, and then its pause",
    fault: "review-before-pause",
    violation: /is open, but no pause waits/,
  },
  {
    what: "commits a pause, and then its review",
    fault: "pause-before-review",
    violation: /a pause waits for .* but it is lost/,
  },
  {
    what: "returns from invoke while it is being saved",
    fault: "returned-before-saved",
    violation: /not kept: .*("by":"invoke"|"type":"paused")/,
  },
  {
    what: "runs again what nobody knows the end of",
    fault: "unknown-runs-again",
    violation: /started approvals|left started by a kill and is succeeded/,
  },
  {
    what: "leaves a review open when a new message ends its pause",
    fault: "withdrawal-forgotten",
    violation: /is open/,
  },
  {
    what: "leaves a call that a new message has ended without a result",
    fault: "result-left-out",
    violation: /has 0 results|not kept: .*"by":"invoke"/, // what was shown is left out as well
  },
  {
    what: "leaves a step that was not saved when all its tasks had written",
    fault: "unsaved-step-forgotten",
    violation: /it stands still/,
    cycles: 15,
  },
];
