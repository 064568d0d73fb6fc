// Cuts text into the pieces that the sandbox calls tokens. The cut is by rule, so a test can know the count beforehand
// and the pieces of a text always join to the text itself.

// One word piece of up to 8 letters or digits with the space before it, or one other sign, or a run of spaces.
const piecePattern = /\s?[\p{L}\p{N}_]{1,8}|\s?[^\s\p{L}\p{N}_]|\s+/gu;

export function cutIntoTokens(text: string): string[] {
  return text.match(piecePattern) ?? [];
}

/** Counts without keeping the pieces: prompts may be many megabytes. */
export function countTokens(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(piecePattern)) count += 1;
  return count;
}
