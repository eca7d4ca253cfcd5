import { z } from "zod";

/** Which events a stream wants: channels, and namespaces with how deep below them. */
export const filterSchema = z.object({
  channels: z.array(z.string()).optional(),
  namespaces: z.array(z.array(z.string())).optional(),
  depth: z.number().int().nonnegative().optional(),
  since: z.number().int().nonnegative().optional(),
});
export type StreamFilter = z.infer<typeof filterSchema>;

/** True when an event belongs to a stream with this filter, by the protocol's rules. */
export function isWanted(
  filter: StreamFilter,
  method: string,
  namespace: readonly string[],
): boolean {
  const channel = method.startsWith("input.") ? "input" : method;
  if (filter.channels !== undefined && !filter.channels.includes(channel)) return false;
  if (filter.namespaces === undefined) return true;
  return filter.namespaces.some((prefix) => {
    const below = namespace.length - prefix.length;
    if (below < 0 || (filter.depth !== undefined && below > filter.depth)) return false;
    return prefix.every((segment, index) => matchesSegment(segment, namespace[index] ?? ""));
  });
}

/** A prefix segment without an id also matches the same node with any id. */
function matchesSegment(prefix: string, segment: string): boolean {
  return segment === prefix || (!prefix.includes(":") && segment.split(":", 1)[0] === prefix);
}
