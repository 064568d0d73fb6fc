// Sends an answer in one piece, JSON, text or bytes, with the faults that a behaviour asks for.
import type { OutgoingHttpHeaders } from 'node:http';
import type { Behaviour } from '../scenarios.ts';
import { openBody } from './body-writer.ts';
import { cutConnection, type Exchange, sendHead } from './exchange.ts';

export type WholeAnswer = {
  status?: number;
  headers?: OutgoingHttpHeaders;
  body: unknown;
  /** What the protocol says when it fails after having promised success. */
  errorBody?: unknown;
};

export type BytesAnswer = Omit<WholeAnswer, 'body'> & { bytes: Buffer; contentType: string };

export async function sendWhole(exchange: Exchange, answer: WholeAnswer, behaviour: Behaviour = {}): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(answer.body));
  await sendBytes(exchange, { ...answer, bytes, contentType: 'application/json' }, behaviour);
}

export async function sendBytes(exchange: Exchange, answer: BytesAnswer, behaviour: Behaviour = {}): Promise<void> {
  const breakage = behaviour.breakage?.kind;
  const { errorBody } = answer;
  const reportsFailure = breakage === 'error-event' || breakage === 'throttled';
  const fails = reportsFailure && errorBody !== undefined;
  const bytes = fails ? Buffer.from(JSON.stringify(errorBody)) : answer.bytes;
  const isHalf = breakage !== undefined && !reportsFailure;
  const sent = isHalf ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes;
  const promised = breakage === 'cut' || breakage === 'stall' ? bytes : sent;

  sendHead(exchange, answer.status ?? 200, {
    'content-type': fails ? 'application/json' : answer.contentType,
    // Compressed answers go out chunked: their length is not known beforehand.
    ...(behaviour.gzip ? { 'content-encoding': 'gzip' } : { 'content-length': promised.length }),
    ...answer.headers,
  });
  const writer = openBody(exchange, behaviour);
  await writer.write(sent);
  if (breakage === 'cut') return cutConnection(exchange);
  if (breakage === 'stall') return;
  await writer.end();
}
