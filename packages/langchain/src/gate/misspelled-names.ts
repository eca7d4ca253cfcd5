import { closestName, HoldpointError } from "@holdpoint/core";

/**
 * Throws `config_invalid` for a name that is almost one of ours: it would be ignored, and what it was meant
 * to hold would run. Other names are deepagents' own, or those of a later version.
 */
export function refuseMisspelled(given: object, ours: readonly string[], where: string): void {
  for (const written of Object.keys(given)) {
    const meant = ours.includes(written) ? undefined : closestName(written, ours);
    if (meant === undefined) continue;
    const key = `${where}${written}`;
    const message = `The option ${key} is not known; did you mean ${meant}?`;
    throw new HoldpointError("config_invalid", message, { details: { key } });
  }
}
