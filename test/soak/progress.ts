// What a soak has done so far, a line for each piece, appended as soon as the piece is done: whenever it is
// stopped, nothing that was counted is counted again. Only what the very same code did counts together.
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../reliability/bundle.ts";
import type { Control, Counted } from "./counted.ts";

const artifacts = fileURLToPath(new URL("../artifacts/soak/", import.meta.url));

/** A piece of a part: its number, and how many kills, reviews or cuts it is of. */
export type Piece = { readonly number: number; readonly size: number };

type Line = { readonly seconds: number } & (
  { readonly piece: Piece; readonly counted: Counted } | { readonly control: Control }
);

/** The record of one part, with one seed and one code. */
export type Progress = {
  readonly counted: (piece: Piece) => Counted | undefined;
  readonly controls: () => readonly Control[];
  /** Seconds that these pieces and all controls took, one after the other or side by side, as it was. */
  readonly seconds: (pieces: readonly Piece[]) => number;
  readonly add: (what: { piece: Piece; counted: Counted } | { control: Control }) => void;
};

/** Reads what is there; a last line that was cut short counts as not written. */
export function openProgress(name: string, folder = artifacts): Progress {
  const file = join(folder, `${name}.jsonl`);
  mkdirSync(folder, { recursive: true });
  const lines = existsSync(file) ? linesIn(readFileSync(file, "utf8")) : [];
  let since = performance.now();
  const lineOf = ({ number, size }: Piece) =>
    lines.find(
      (line) => "piece" in line && line.piece.number === number && line.piece.size === size,
    );
  return {
    counted: (piece) => {
      const line = lineOf(piece);
      return line !== undefined && "piece" in line ? line.counted : undefined;
    },
    controls: () => lines.flatMap((line) => ("control" in line ? [line.control] : [])),
    seconds: (pieces) => {
      const meant = new Set<Line | undefined>(pieces.map(lineOf));
      const mine = lines.filter((line) => "control" in line || meant.has(line));
      return mine.reduce((sum, { seconds }) => sum + seconds, 0);
    },
    add: (what) => {
      const now = performance.now();
      const line: Line = { seconds: (now - since) / 1000, ...what };
      since = now;
      lines.push(line);
      appendFileSync(file, `\n${JSON.stringify(line)}`);
    },
  };
}

/** A line begins with its line break, so that one that was cut short spoils no other. */
function linesIn(text: string): Line[] {
  return text.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line) as Line]; // written here
    } catch {
      return [];
    }
  });
}

/** Names the code that a script runs, all that it imports included. */
export async function codeOf(script: URL): Promise<string> {
  const { file, remove } = await bundle(script);
  const hash = createHash("sha256");
  const files = readdirSync(dirname(file), { recursive: true, withFileTypes: true });
  const paths = files.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  for (const path of paths.toSorted()) hash.update(readFileSync(path));
  await remove();
  return hash.digest("hex").slice(0, 12);
}
