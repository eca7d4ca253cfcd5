import { closestName } from "./closest-name.ts";
import type { CompiledRules, MatchedRule } from "./interrupt-on.ts";
import { fitsGlob } from "./tool-name-glob.ts";

/** How many names `ruleFor` remembers for one set of rules; a model can invent any number. */
export const mostRemembered = 500;

/**
 * The rule for a tool: the exact name wins, then the globs in the order in which they are written, then
 * `"*"` wherever it stands. `undefined` when nothing matches, which alone makes a tool unlisted.
 */
export function ruleFor<Request, Describe>(
  compiled: CompiledRules<Request, Describe>,
  tool: string,
): MatchedRule<Request, Describe> | undefined {
  const { exact, globs, catchAll, remembered } = compiled;
  const listed = exact.get(tool);
  if (listed !== undefined || globs.length === 0) return listed ?? catchAll;
  if (remembered.has(tool)) return remembered.get(tool);
  const found = globs.find((glob) => fitsGlob(glob.key, tool)) ?? catchAll;
  const [oldest] = remembered.size < mostRemembered ? [] : remembered.keys();
  if (oldest !== undefined) remembered.delete(oldest);
  remembered.set(tool, found);
  return found;
}

/** Every key that stands for a tool's name, the one that decides first. */
export function keysFor<Request, Describe>(
  { exact, globs, catchAll }: CompiledRules<Request, Describe>,
  tool: string,
): readonly string[] {
  const matching = [exact.get(tool), ...globs.filter(({ key }) => fitsGlob(key, tool)), catchAll];
  return matching.flatMap((one) => (one === undefined ? [] : [one.key]));
}

/** Every key that stands for none of these tools, with the tool's name that was probably meant. */
export function keysWithoutTool<Request, Describe>(
  { exact, globs }: CompiledRules<Request, Describe>,
  tools: readonly string[],
): readonly { readonly key: string; readonly meant: string | undefined }[] {
  const named = new Set(tools);
  const strayNames = [...exact.keys()].filter((key) => !named.has(key));
  const unnamed = tools.filter((tool) => !exact.has(tool));
  const strayGlobs = globs.filter(({ key }) => !tools.some((tool) => fitsGlob(key, tool)));
  return [
    ...strayNames.map((key) => ({ key, meant: closestName(key, unnamed) })),
    ...strayGlobs.map(({ key }) => ({ key, meant: undefined })),
  ];
}
