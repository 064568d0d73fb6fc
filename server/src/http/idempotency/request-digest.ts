// What makes two requests the same: path and body. Of a form its parts count, not the boundary, which clients choose for
// each try.
import { createHash } from 'node:crypto';
import { setImmediate as nextTick } from 'node:timers/promises';
import type { Form } from '../../neutral/form.ts';

const PIECE_BYTES = 256 * 1024;
const SLICE_BYTES = 4 * 1024 * 1024;

/** Other requests run between the pieces of a large body. */
export async function digestOfBytes(path: string, body: Uint8Array): Promise<string> {
  const hash = createHash('sha256').update(`${path}\n`);
  for (let start = 0; start < body.length; start += SLICE_BYTES) {
    if (start > 0) await nextTick();
    hash.update(body.subarray(start, start + SLICE_BYTES));
  }
  return hash.digest('base64url');
}

export async function digestOfForm(path: string, form: Form): Promise<string> {
  const hash = createHash('sha256').update(`${path}\n`);
  for (const { name, filename, contentType, valueStart, valueEnd } of form.parts) {
    const length = valueEnd - valueStart;
    hash.update(JSON.stringify([name, filename ?? null, contentType ?? null, length]));
    for (let start = valueStart; start < valueEnd; start += PIECE_BYTES)
      hash.update(await form.read(start, Math.min(valueEnd, start + PIECE_BYTES)));
  }
  return hash.digest('base64url');
}
