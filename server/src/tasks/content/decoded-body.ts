// The plain bytes of an answer that its storage keeps encoded, for who has no header to say so in.
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { discardBody, type GuardedAnswer } from '../../providers/guarded/guarded-client.ts';

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** The streams to be read one through another; throws when the encoding is none that is known. */
export function decodedBody({ headers, body }: GuardedAnswer): (Readable | NodeJS.ReadWriteStream)[] {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return [body];
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decode !== undefined) return [body, decode()];
  discardBody(body);
  throw new Error(`the video is encoded as ${encoding.slice(0, 40)}`);
}
