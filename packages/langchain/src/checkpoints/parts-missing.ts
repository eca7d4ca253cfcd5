/** True when the engine says that parts which were referred to are gone. By name: whoever has no engine loads none. */
export function isPartsMissing(error: unknown): boolean {
  return error instanceof Error && error.name === "PartsMissing";
}
