import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import type { Control, Counted } from "./counted.ts";

const page = fileURLToPath(new URL("../../docs/reliability.md", import.meta.url));

/** What the page says of a part. */
export type Result = {
  readonly place: string;
  readonly seed: number;
  readonly seconds: number;
  /** What repeats it. */
  readonly command: string;
  readonly counted: Counted;
  readonly controls: readonly Control[];
};

/** Puts the figures of a part into docs/reliability.md. */
export async function writeResult(result: Result): Promise<void> {
  const [start, end] = [`<!-- ${result.place} -->`, `<!-- end of ${result.place} -->`];
  const before = readFileSync(page, "utf8");
  const [from, to] = [before.indexOf(start), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${page} has no place for "${result.place}".`);
  const text = `${before.slice(0, from)}${start}\n\n${textOf(result)}\n\n${before.slice(to)}`;
  writeFileSync(page, await format(text, { ...(await resolveConfig(page)), parser: "markdown" }));
}

function textOf({ seed, seconds, command, counted, controls }: Result): string {
  const { counts, killedAt, violations } = counted;
  const wrong: [string, string] = ["**violations**", `**${violations.length}**`];
  const places = Object.entries(killedAt).toSorted(([one], [other]) => one.localeCompare(other));
  const isNamed = controls.some(({ what }) => what !== "");
  const head = [...(isNamed ? ["an engine that …"] : []), "seeded fault", "found"];
  return [
    `Seed ${seed}, ${Math.round(seconds)} seconds; \`${command}\` repeats it.`,
    table(["", "count"], [...Object.entries(counts), wrong]),
    ...(places.length === 0 ? [] : [table(["killed at", "times"], places)]),
    table(
      head,
      controls.map(({ what, fault, found }) => [
        ...(isNamed ? [what] : []),
        `\`${fault}\``,
        found ?? "**no**",
      ]),
    ),
  ].join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
