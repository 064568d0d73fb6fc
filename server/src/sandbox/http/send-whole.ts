// Sends an answer in one piece, with the faults that a behaviour asks for.
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

export async function sendWhole(exchange: Exchange, answer: WholeAnswer, behaviour: Behaviour = {}): Promise<void> {
  const breakage = behaviour.breakage?.kind;
  const text = JSON.stringify(breakage === 'error-event' ? (answer.errorBody ?? answer.body) : answer.body);
  const isHalf = breakage !== undefined && breakage !== 'error-event';
  const sent = isHalf ? text.slice(0, Math.ceil(text.length / 2)) : text;
  const promised = breakage === 'cut' || breakage === 'stall' ? text : sent;

  sendHead(exchange, answer.status ?? 200, {
    'content-type': 'application/json',
    // Compressed answers go out chunked: their length is not known beforehand.
    ...(behaviour.gzip ? { 'content-encoding': 'gzip' } : { 'content-length': Buffer.byteLength(promised) }),
    ...answer.headers,
  });
  const writer = openBody(exchange, behaviour);
  await writer.write(sent);
  if (breakage === 'cut') return cutConnection(exchange);
  if (breakage === 'stall') return;
  await writer.end();
}
