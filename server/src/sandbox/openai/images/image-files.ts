// GET /files/{id}.png: the pictures behind `url` answers. The id says how to make the picture, so nothing is stored and
// an address never expires; no key is asked, as with the signed addresses of the real service.
import { createHash } from 'node:crypto';
import type { Exchange } from '../../http/exchange.ts';
import { sendBytes, sendWhole } from '../../http/send-whole.ts';
import { makePng, type PngOptions } from '../../media/png.ts';
import { writeError } from '../error.ts';

export const imageFilePrefix = '/files/';

const sideLimit = 4096;

/** What the picture hangs on, short enough for an address. */
export function makeSeed(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

export function writeImageUrl(exchange: Exchange, { seed, width, height, transparent }: PngOptions): string {
  const host = exchange.request.headers.host ?? 'localhost';
  return `http://${host}${imageFilePrefix}img-${seed}-${width}x${height}${transparent ? '-t' : ''}.png`;
}

export async function answerImageFile(exchange: Exchange): Promise<void> {
  exchange.request.resume();
  const name = exchange.record.path.slice(imageFilePrefix.length);
  const [, seed, width, height, mark] = /^img-([0-9a-f]{32})-(\d{1,4})x(\d{1,4})(-t)?\.png$/.exec(name) ?? [];
  const size = { width: Number(width), height: Number(height) };
  const isKnown = seed !== undefined && [size.width, size.height].every((side) => side >= 1 && side <= sideLimit);
  const { method } = exchange.record;
  if (!isKnown || (method !== 'GET' && method !== 'HEAD')) {
    const failure = { status: 404, message: `No such file: ${name.slice(0, 200)}`, code: 'not_found' };
    return sendWhole(exchange, { status: 404, body: writeError(failure) });
  }
  const bytes = await makePng({ ...size, seed, transparent: mark !== undefined });
  await sendBytes(exchange, { bytes, contentType: 'image/png', headers: { 'cache-control': 'max-age=3600' } });
}
