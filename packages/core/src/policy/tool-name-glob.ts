/** True for a key of `interruptOn` that stands for several tool names. */
export function isGlob(key: string): boolean {
  return /[*?]/.test(key);
}

/**
 * Whether a tool name fits a glob: `*` is any text, also none, and `?` is one character; nothing else
 * is special. Goes back to the last star only, so that no name a model invents takes long.
 */
export function fitsGlob(glob: string, name: string): boolean {
  let at = 0;
  let inGlob = 0;
  let star = -1;
  let afterStar = 0;
  while (at < name.length) {
    const wanted = glob[inGlob];
    if (wanted === "*") {
      star = inGlob;
      afterStar = at;
      inGlob += 1;
    } else if (wanted === "?" || wanted === name[at]) {
      inGlob += 1;
      at += 1;
    } else if (star >= 0) {
      afterStar += 1; // the star takes one character more
      at = afterStar;
      inGlob = star + 1;
    } else {
      return false;
    }
  }
  return /^\**$/.test(glob.slice(inGlob));
}
