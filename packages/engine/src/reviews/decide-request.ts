import type { Holdpoint } from "@holdpoint/core";

/** Decisions on the actions of one review. */
export type DecideRequest = Parameters<Holdpoint["decide"]>[0];
