// A vector for a text: words and character trigrams, each hashed to a place and a sign. Texts that share words, or
// parts of words, come out near each other; the same text always gives the same unit vector.

const wordWeight = 1;
const trigramWeight = 0.4;
const wordPattern = /[\p{L}\p{N}]+/gu;

export function embedText(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const [word] of text.toLowerCase().matchAll(wordPattern)) {
    addFeature(vector, `w:${word}`, wordWeight);
    const padded = ` ${word} `;
    for (let at = 0; at + 3 <= padded.length; at += 1) addFeature(vector, padded.slice(at, at + 3), trigramWeight);
  }
  // Signs alone, such as an emoji, still need a direction of their own.
  if (vector.every((value) => value === 0)) addFeature(vector, `t:${text}`, wordWeight);
  const length = Math.hypot(...chunkSquares(vector));
  return vector.map((value) => value / length);
}

/** Partial lengths: all values as arguments at once would be too many. */
function* chunkSquares(vector: Float32Array): Generator<number> {
  for (let start = 0; start < vector.length; start += 512) yield Math.hypot(...vector.subarray(start, start + 512));
}

function addFeature(vector: Float32Array, feature: string, weight: number): void {
  const hash = hashText(feature);
  const index = hash % vector.length;
  const sign = hash >>> 31 === 0 ? 1 : -1;
  vector[index] = (vector[index] ?? 0) + sign * weight;
}

/** FNV-1a with a final mix, so that the sign does not hang on the place. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
