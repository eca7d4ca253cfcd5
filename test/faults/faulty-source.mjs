import { faults } from "./faults.mjs";

/**
 * A source file with the changes that a seeded fault makes to it; `undefined` where it makes none.
 * @param {string} name of the fault
 * @param {string} file its path or address
 * @param {() => string} read its text
 * @returns {string | undefined}
 */
export function faultySource(name, file, read) {
  const changes = faults[name];
  if (changes === undefined) throw new Error(`There is no fault "${name}".`);
  const mine = changes.filter((change) => file.endsWith(`/${change.file}`));
  if (mine.length === 0) return undefined;
  let source = read();
  for (const { file: changed, find, replace } of mine) {
    if (!source.includes(find))
      throw new Error(`The fault "${name}" does not fit ${changed} any more.`);
    source = source.replace(find, replace);
  }
  return source;
}
