// The texts of a form are UTF-8: bytes that are not would be one value here and another to an upstream that leaves them out.
import { isAscii, isUtf8 } from 'node:buffer';
import { invalidRequest } from '../../errors/gateway-error.ts';
import type { ScannedPart } from './form-scanner.ts';
import { quoteStart } from './headers/header-parameters.ts';
import type { Alphabet } from './headers/part-type.ts';
import type { Spool } from './spool.ts';

const PIECE_BYTES = 128 * 1024;
const LONGEST_CHARACTER = 4;

/** `usual` is the alphabet of texts that name none. */
export async function checkTexts(parts: readonly ScannedPart[], spool: Spool, usual: Alphabet): Promise<void> {
  for (const part of parts) {
    if (part.filename !== undefined) continue;
    const { name, alphabet = usual } = part;
    if (await isWritten(alphabet, part, spool)) continue;
    throw invalidRequest(
      alphabet === 'ascii'
        ? `The field ${quoteStart(name)} has other characters than ASCII in a charset that is not UTF-8. Send UTF-8.`
        : `The field ${quoteStart(name)} is not valid UTF-8.`,
      name,
    );
  }
}

/** In pieces: a picture as text may be as large as a file. */
async function isWritten(alphabet: Alphabet, { valueStart, valueEnd }: ScannedPart, spool: Spool): Promise<boolean> {
  for (let start = valueStart; start < valueEnd;) {
    const bytes = await spool.read(start, Math.min(valueEnd, start + PIECE_BYTES));
    const end = start + bytes.length < valueEnd ? lastCharacterStart(bytes) : bytes.length;
    if (alphabet === 'ascii' ? !isAscii(bytes) : !isUtf8(bytes.subarray(0, end))) return false;
    start += end;
  }
  return true;
}

/** Where a piece may be cut: before the last byte that begins a character; near its end, if it is UTF-8 at all. */
function lastCharacterStart(bytes: Buffer): number {
  let at = bytes.length - 1;
  while (at > bytes.length - LONGEST_CHARACTER && ((bytes[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}
