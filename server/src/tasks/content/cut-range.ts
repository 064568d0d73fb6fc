// The range that a client asked for, of a video whose storage knows no ranges and sends it whole: players will not seek, and
// some not play, without a 206.
import { Readable } from 'node:stream';
import { discardBody, type GuardedAnswer } from '../../providers/guarded/guarded-client.ts';
import { readByteRange } from '../../shared/byte-range.ts';
import { type ContentConditions, rangeOf } from '../../shared/content-conditions.ts';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

/** The answer as it is where nothing can or need be cut. */
export function cutRange(answer: GuardedAnswer, asked: ContentConditions): GuardedAnswer {
  const { status, headers, body } = answer;
  if (status !== 200) return answer;
  const size = sizeOf(answer);
  if (size === undefined) return { ...answer, headers: { 'accept-ranges': 'none', ...headers } };
  const whole = { ...answer, headers: { ...headers, 'accept-ranges': 'bytes' } };
  const validators = { etag: textOf(headers['etag']), lastModified: textOf(headers['last-modified']) };
  const wanted = readByteRange(rangeOf(asked, validators), size);
  if (wanted === 'whole') return whole;
  if (wanted === 'unsatisfiable') {
    discardBody(body);
    return { status: 416, headers: { 'content-range': `bytes */${size}` }, body: Readable.from([]) };
  }
  const { start, end } = wanted;
  const part = Readable.from(bytesOf(body, start, end + 1), { objectMode: false });
  part.once('close', () => discardBody(body)); // also when nobody has read any of it
  return {
    status: 206,
    headers: {
      ...whole.headers,
      'content-length': String(end - start + 1),
      'content-range': `bytes ${start}-${end}/${size}`,
    },
    body: part,
  };
}

/** Of the bytes as they come: an encoded body is another than the one that a range is of. */
function sizeOf({ headers }: GuardedAnswer): number | undefined {
  const length = textOf(headers['content-length']);
  return headers['content-encoding'] === undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

async function* bytesOf(body: Readable, start: number, end: number): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const piece = chunk.subarray(Math.max(0, start - position), Math.max(0, end - position));
    position += chunk.length;
    if (piece.length > 0) yield piece;
    if (position >= end) return;
  }
  throw new Error('the video is shorter than its storage said');
}

const decoders: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/**
 * The plain bytes of an answer that its storage keeps encoded, for who has no header to say so in. The streams are to be read
 * one through another; throws when the encoding is none that
 * is known.
 */
export function decodedBody({ headers, body }: GuardedAnswer): (Readable | NodeJS.ReadWriteStream)[] {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding === 'identity') return [body];
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  if (decode !== undefined) return [body, decode()];
  discardBody(body);
  throw new Error(`the video is encoded as ${encoding.slice(0, 40)}`);
}
