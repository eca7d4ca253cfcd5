/**
 * The known name that somebody probably meant: the same in another spelling (`send_email`,
 * `sendEmail`), or one or two typing errors away. `undefined` when none is close.
 */
export function closestName(written: string, known: Iterable<string>): string | undefined {
  let closest: string | undefined;
  let least = Math.min(2, Math.floor(written.length / 3));
  for (const name of known) {
    if (plain(name) === plain(written)) return name;
    const distance = typingErrors(plain(written), plain(name), least);
    if (distance > least || (distance === least && closest !== undefined)) continue;
    closest = name;
    least = distance;
  }
  return closest;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_.-]/g, "");
}

/** Letters added, left out, replaced or swapped with their neighbour; `most + 1` stands for more than that. */
function typingErrors(written: string, name: string, most: number): number {
  if (Math.abs(written.length - name.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: name.length + 1 }, (_, column) => column);
  for (let row = 1; row <= written.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= name.length; column += 1) {
      const isSame = written[row - 1] === name[column - 1];
      const isSwapped =
        written[row - 1] === name[column - 2] && written[row - 2] === name[column - 1];
      const swapped = isSwapped ? (beforeLast[column - 2] ?? Infinity) + 1 : Infinity;
      const replaced = (last[column - 1] ?? Infinity) + (isSame ? 0 : 1);
      const added = (last[column] ?? Infinity) + 1;
      const leftOut = (next[column - 1] ?? Infinity) + 1;
      next.push(Math.min(swapped, replaced, added, leftOut));
    }
    beforeLast = last;
    last = next;
  }
  return last[name.length] ?? most + 1;
}

/** What to add to a refusal of an unknown name: the one that was probably meant or, when none is close, all. */
export function suggestion(written: string, known: readonly string[]): string {
  const meant = closestName(written, known);
  return meant === undefined ? `(there are ${known.join(", ")})` : `(did you mean ${meant}?)`;
}
