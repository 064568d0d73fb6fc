// GET /v1/responses/{id}?stream=true: the events of a response that is kept, by the gateway or by an upstream, which is asked
// for the whole of it.
import { invalidRequest } from '../../errors/gateway-error.ts';
import { parseRecord } from '../../protocols/json/json-value.ts';
import { replayEvents } from '../../protocols/openai-responses/kept/replay.ts';
import type { ClientReply } from '../../relay/call.ts';
import { ForwardingReply } from '../../relay/forwarding-reply.ts';
import type { Exchange } from '../endpoint.ts';

export function asksStream(query: string): boolean {
  return new URLSearchParams(query).get('stream') === 'true';
}

export function sendReplay(
  { reply, query }: Pick<Exchange, 'query'> & { reply: ClientReply },
  response: Record<string, unknown>,
): void {
  const events = replayEvents(response, startingAfter(query));
  reply.beginStream();
  reply.end(Buffer.from(events));
}

/** Writes the whole answer of an upstream as its events. */
export class ReplayingReply extends ForwardingReply {
  readonly #query: string;

  constructor(inner: ClientReply, query: string) {
    super(inner);
    this.#query = query;
    startingAfter(query);
  }

  override sendWhole(status: number, headers: Record<string, string>, body: Buffer): void {
    const response = parseRecord(body);
    if (status === 200 && response?.['object'] === 'response')
      sendReplay({ reply: this.inner, query: this.#query }, response);
    else super.sendWhole(status, headers, body);
  }
}

function startingAfter(query: string): number | undefined {
  const text = new URLSearchParams(query).get('starting_after');
  if (text === null || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw invalidRequest("'starting_after' must be the number of an event.", 'starting_after');
}
