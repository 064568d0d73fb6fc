// What makes two requests the same: path and body. Of a form its parts count, not the boundary, which clients make anew for
// each try.
import { createHash } from 'node:crypto';
import type { Form } from '../../neutral/form.ts';

const PIECE_BYTES = 256 * 1024;

export function digestOfBytes(path: string, body: Uint8Array): string {
  return createHash('sha256').update(`${path}\n`).update(body).digest('base64url');
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
