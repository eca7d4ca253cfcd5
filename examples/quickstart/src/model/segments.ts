/** Where a request may begin: after punctuation, or at a word that joins two requests. */
const JOINT =
  /(?<sentence>\s*(?:[;；。！？!?]+|\.(?=\s|$)|\n+)\s*)|\s*[,，、]\s*|\s+(?=(?:and|then|plus|as well as|followed by|but)\s)|\s*(?=然后|接着|随后|并且|同时|另外|以及|之后|还有|最后|顺便|再|并|和|后)/giu;

/** The longest request, counted in joints; keeps the work linear for long texts. */
const LONGEST = 16;

/** A stretch of a message; `opensSentence` says that a full stop, a line or nothing is before it. */
export type Segment = {
  readonly from: number;
  readonly to: number;
  readonly opensSentence: boolean;
};

type Cut = { readonly unread: number; readonly segments: readonly Segment[] };

/**
 * Takes a message apart into requests. Of all ways to cut it at joints it takes the one in which
 * the fewest pieces are not understood, and among those the one with the most pieces. So "delete
 * a.txt and b.txt" stays whole, because "b.txt" alone says nothing, and "delete a.txt and read
 * b.txt" does not.
 */
export function segmentsOf(
  text: string,
  isUnderstood: (segment: Segment) => boolean,
): readonly Segment[] {
  const joints: { at: number; opensSentence: boolean }[] = [{ at: 0, opensSentence: true }];
  for (const { 0: joint, index, groups } of text.matchAll(JOINT)) {
    const at = index + joint.length;
    const last = joints.at(-1);
    const opensSentence = groups?.["sentence"] !== undefined;
    if (last && last.at === at) last.opensSentence ||= opensSentence;
    else if (at < text.length) joints.push({ at, opensSentence });
  }

  // Best cut of the text from each joint on, from the last joint to the first.
  const best: Cut[] = [{ unread: 0, segments: [] }];
  for (let start = joints.length - 1; start >= 0; start -= 1) {
    const joint = joints[start];
    if (!joint) continue;
    let choice: Cut | undefined;
    for (let end = start + 1; end <= Math.min(start + LONGEST, joints.length); end += 1) {
      const following = best[joints.length - end];
      if (!following) continue;
      const to = joints[end]?.at ?? text.length;
      const segment = { from: joint.at, to, opensSentence: joint.opensSentence };
      const unread = following.unread + (isUnderstood(segment) ? 0 : 1);
      const segments = [segment, ...following.segments];
      const isBetter =
        !choice ||
        unread < choice.unread ||
        (unread === choice.unread && segments.length > choice.segments.length);
      if (isBetter) choice = { unread, segments };
    }
    if (choice) best.push(choice);
  }
  return best.at(-1)?.segments ?? [];
}
