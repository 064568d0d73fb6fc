// Sends an answer piece by piece, ordinarily as server-sent events, at the pace and with the faults that a behaviour asks for.
import type { Behaviour, Breakage } from '../scenarios.ts';
import { openBody } from './body-writer.ts';
import { cutConnection, type Exchange, sendHead, waitFor } from './exchange.ts';
import { frameAsEvents, type Framing } from './framing.ts';

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
  /** The event by which it says that it was asked too often; the same as above by default. */
  writeThrottle?(eventsSent: number): Pick<StreamEvent, 'event' | 'data'>;
  /** Server-sent events by default. */
  framing?: Framing;
};

export async function sendStream(exchange: Exchange, answer: StreamAnswer, behaviour: Behaviour): Promise<void> {
  const { breakage, paceMs, omitDone, crlf } = behaviour;
  const framing = answer.framing ?? frameAsEvents(crlf ? '\r\n' : '\n');
  sendHead(exchange, 200, {
    'content-type': framing.contentType,
    'cache-control': 'no-cache',
    ...(behaviour.gzip ? { 'content-encoding': 'gzip' } : {}),
  });
  const writer = openBody(exchange, behaviour);
  const writeEvent = async (event: Pick<StreamEvent, 'event' | 'data'>): Promise<void> => {
    await writer.write(framing.frame(event, exchange.record.eventsSent));
    exchange.record.eventsSent += 1;
  };
  const end = async (): Promise<void> => {
    await writer.write(framing.writeEnd(exchange.record.eventsSent));
    await writer.end();
  };

  let contentSent = 0;
  for await (const next of answer.events) {
    const { kind, data } = next;
    if (breakage !== undefined && isDue(breakage, contentSent, kind)) {
      const sent = exchange.record.eventsSent;
      if (breakage.kind === 'error-event') await writeEvent(answer.writeError(sent));
      if (breakage.kind === 'throttled') await writeEvent((answer.writeThrottle ?? answer.writeError)(sent));
      if (breakage.kind === 'damaged') await writer.write(damaged(framing, framing.frame(next, sent)));
      if (breakage.kind === 'truncated') await writeEvent({ ...next, data: data.slice(0, Math.ceil(data.length / 2)) });
      return breakOff(exchange, breakage, breakage.kind === 'truncated' ? () => writer.end() : end);
    }
    if (kind === 'done' && omitDone) continue;
    if (kind === 'content' && contentSent > 0) await waitFor(exchange, paceMs);
    await writeEvent(next);
    if (kind === 'content') contentSent += 1;
  }
  await end();
}

/** Where frames have no checksum, half of one is damage enough. */
function damaged({ damage }: Framing, frame: string | Buffer): Buffer {
  const bytes = Buffer.from(frame);
  return damage?.(bytes) ?? bytes.subarray(0, Math.ceil(bytes.length / 2));
}

function isDue({ after }: Breakage, contentSent: number, next: StreamEvent['kind']): boolean {
  return after === 0 || (contentSent >= after && next !== 'opening') || next === 'closing' || next === 'done';
}

async function breakOff(exchange: Exchange, breakage: Breakage, end: () => Promise<void>): Promise<void> {
  if (breakage.kind === 'stall') return;
  if (breakage.kind === 'cut') return cutConnection(exchange);
  await end();
}
