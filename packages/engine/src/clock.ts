/** Tells the time as an ISO-8601 UTC string with milliseconds. Passed in, so that tests own it. */
export type Clock = () => string;

/** The machine's clock. */
export const systemClock: Clock = () => new Date().toISOString();

/** A time so many milliseconds later. */
export function later(time: string, milliseconds: number): string {
  return new Date(Date.parse(time) + milliseconds).toISOString();
}
