// Whether a long JSON string looks like embedded media, judged by its beginning alone.
const SPACE = 0x20;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;
const DATA_SCHEME = Buffer.from('data:');

/** Shorter strings are taken for text. */
export const OPAQUE_SAMPLE = 1024;

/** A data URL, or base64: plain ASCII without space or escape, save the `\/` of writers that escape every slash. */
export function looksEmbedded(bytes: Buffer, start: number): boolean {
  if (bytes[start] === DATA_SCHEME[0] && DATA_SCHEME.equals(bytes.subarray(start, start + DATA_SCHEME.length)))
    return true;
  for (let position = start; position < start + OPAQUE_SAMPLE; position++) {
    const byte = bytes[position] ?? -1;
    if (byte <= SPACE || byte >= DELETE) return false;
    if (byte === BACKSLASH && bytes[++position] !== SLASH) return false;
  }
  return true;
}
