// `npm run soak`: the crash loop and the conflicts of `npm test` and the power cuts of `npm run proof` at full
// size, and what their seeded mistakes lead to; the figures go into docs/reliability.md.
//
//   npm run soak                                all parts
//   npm run soak -- kills-sqlite power          some of them
//   npm run soak -- kills-postgres --size 50 --seed 7 --dry
//
// What is counted is kept in test/artifacts/soak: stopped at any moment, the same command goes on from there,
// as long as the code is the same. With `--dry` the page stays as it is. Ends with 1 where something was lost
// or a mistake was not found. The power cuts need strace.
import "./node-version.mjs";
import process from "node:process";
import { parseArgs } from "node:util";
import { sumOf } from "../test/soak/counted.ts";
import { writeResult } from "../test/soak/page.ts";
import { createParts } from "../test/soak/parts.ts";
import { codeOf, openProgress } from "../test/soak/progress.ts";

/** @typedef {import("../test/soak/parts.ts").Part} Part */
/** @typedef {import("../test/soak/progress.ts").Piece} Piece */
/** @typedef {import("../test/soak/progress.ts").Progress} Progress */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: "string" },
    seed: { type: "string", default: "1" },
    dry: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const { parts, end } = createParts();
const names = parts.map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0 || !(Number(values.size ?? 1) > 0) || !Number.isSafeInteger(seed)) {
  console.error(`Parts are ${names.join(", ")}; --size and --seed are numbers.`);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    console.log("Stopped. What was counted is kept; the same command goes on.");
    process.exit(130);
  });
}
let isSound = true;
for (const part of parts)
  if (positionals.length === 0 || positionals.includes(part.name))
    isSound = (await run(part, Number(values.size ?? part.size))) && isSound;
await end();
process.exitCode = isSound ? 0 : 1;

/**
 * Does what is left of a part, and puts its figures into the page.
 * @param {Part} part
 * @param {number} size
 */
async function run(part, size) {
  const { name, place, unit, script, pieceSize } = part;
  const command = `npm run soak -- ${name} --size ${size} --seed ${seed}`;
  const code = await codeOf(script);
  const progress = openProgress(`${name}-${seed}-${code}`);
  const pieces = Array.from({ length: Math.ceil(size / pieceSize) }, (_, number) => ({
    number,
    size: Math.min(pieceSize, size - number * pieceSize),
  }));
  const left = pieces.filter((piece) => progress.counted(piece) === undefined);
  console.log(`${name}: ${size} ${unit}, seed ${seed}, code ${code}; ${done(pieces, left)} done`);
  await tryMistakes(part, progress);
  const began = performance.now();
  let now = 0;
  await part.run(left, seed, (piece, counted) => {
    progress.add({ piece, counted });
    now += piece.size;
    const rate = Math.round((60_000 * now) / (performance.now() - began));
    const wrong = counted.violations.length;
    console.log(
      `${name}: ${done(pieces, left) + now} of ${size}, ${rate} a minute, ${wrong} wrong`,
    );
  });
  const counted = sumOf(pieces.flatMap((piece) => progress.counted(piece) ?? []));
  const controls = progress.controls();
  for (const violation of counted.violations) console.log(violation);
  const isGood = counted.violations.length === 0 && controls.every(({ found }) => found);
  if (!isGood) console.log(`Not as it should be; repeat it with: ${command}`);
  const seconds = progress.seconds(pieces);
  if (!values.dry) await writeResult({ place, seed, seconds, command, counted, controls });
  return isGood;
}

/**
 * Whether the harness finds the mistakes that it must find, each once.
 * @param {Part} part
 * @param {Progress} progress
 */
async function tryMistakes({ name, faults, control }, progress) {
  const tried = new Set(progress.controls().map(({ fault }) => fault));
  for (const fault of faults.filter((one) => !tried.has(one))) {
    const found = await control(fault, seed);
    progress.add({ control: found });
    console.log(`${name}: ${found.found === undefined ? "MISSED" : "caught"} ${fault}`);
  }
}

/**
 * How much of the pieces had been done.
 * @param {readonly Piece[]} pieces
 * @param {readonly Piece[]} left
 */
function done(pieces, left) {
  const total = (/** @type {readonly Piece[]} */ some) =>
    some.reduce((sum, piece) => sum + piece.size, 0);
  return total(pieces) - total(left);
}
