// Sends an answer as server-sent events, at the pace and with the faults that a behaviour asks for.
// Framing: https://html.spec.whatwg.org/multipage/server-sent-events.html
import type { Behaviour, Breakage } from '../scenarios.ts';
import { type BodyWriter, openBody } from './body-writer.ts';
import { cutConnection, type Exchange, sendHead, waitFor } from './exchange.ts';

export type StreamEvent = {
  /** Chosen faults count content, strike before closing at the latest, and `no-done` leaves out done. */
  kind: 'opening' | 'content' | 'closing' | 'done';
  /** The event's name, where the protocol gives one. */
  event?: string;
  data: string;
};

export type StreamAnswer = {
  events: Iterable<StreamEvent> | AsyncIterable<StreamEvent>;
  /** The event by which the protocol says that it failed. */
  writeError(eventsSent: number): Pick<StreamEvent, 'event' | 'data'>;
};

export async function sendStream(exchange: Exchange, answer: StreamAnswer, behaviour: Behaviour): Promise<void> {
  const { breakage, paceMs, omitDone, crlf } = behaviour;
  sendHead(exchange, 200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...(behaviour.gzip ? { 'content-encoding': 'gzip' } : {}),
  });
  const writer = openBody(exchange, behaviour);
  const newline = crlf ? '\r\n' : '\n';
  const writeEvent = async ({ event, data }: Pick<StreamEvent, 'event' | 'data'>): Promise<void> => {
    const name = event === undefined ? '' : `event: ${event}${newline}`;
    await writer.write(`${name}data: ${data}${newline}${newline}`);
    exchange.record.eventsSent += 1;
  };

  let contentSent = 0;
  for await (const next of answer.events) {
    const { kind, data } = next;
    if (breakage !== undefined && isDue(breakage, contentSent, kind)) {
      if (breakage.kind === 'error-event') await writeEvent(answer.writeError(exchange.record.eventsSent));
      if (breakage.kind === 'truncated') await writeEvent({ ...next, data: data.slice(0, Math.ceil(data.length / 2)) });
      return breakOff(exchange, breakage, writer);
    }
    if (kind === 'done' && omitDone) continue;
    if (kind === 'content' && contentSent > 0) await waitFor(exchange, paceMs);
    await writeEvent(next);
    if (kind === 'content') contentSent += 1;
  }
  await writer.end();
}

function isDue({ after }: Breakage, contentSent: number, next: StreamEvent['kind']): boolean {
  return after === 0 || (contentSent >= after && next !== 'opening') || next === 'closing' || next === 'done';
}

async function breakOff(exchange: Exchange, breakage: Breakage, writer: BodyWriter): Promise<void> {
  if (breakage.kind === 'stall') return;
  if (breakage.kind === 'cut') return cutConnection(exchange);
  await writer.end();
}
