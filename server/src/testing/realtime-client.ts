// The vendor's own realtime client with a memory: everything that came, and waiting for what comes.
import OpenAI from 'openai';
import type { RealtimeClientEvent, RealtimeServerEvent } from 'openai/resources/realtime/realtime';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';

export type ServerEvent = RealtimeServerEvent;
type Of<Type extends ServerEvent['type']> = Extract<ServerEvent, { type: Type }>;

export interface RealtimeOptions {
  /** What the library takes: https://host/v1 */
  baseURL: string;
  apiKey: string;
  model: string;
  certificate: string;
  headers?: Record<string, string>;
}

const WAIT_MS = 30_000;

export class RealtimeClient {
  readonly events: ServerEvent[] = [];
  readonly socket: OpenAIRealtimeWS;
  /** Set when the connection is over. */
  closed: { code: number; reason: string } | undefined;
  /** The status of an upgrade that was refused, and its body. */
  refused: { status: number; body: string; headers: Record<string, unknown> } | undefined;
  readonly #waiting = new Set<() => void>();
  #read = 0;

  constructor({ baseURL, apiKey, model, certificate, headers = {} }: RealtimeOptions) {
    const client = new OpenAI({ apiKey, baseURL });
    this.socket = new OpenAIRealtimeWS({ model, options: { ca: certificate, headers } }, client);
    this.socket.on('event', (event) => this.#note(() => this.events.push(event)));
    this.socket.on('error', () => {}); // errors are events too
    const raw = this.socket.socket;
    raw.on('unexpected-response', (request, response) => {
      let body = '';
      response.on('data', (piece: Buffer) => (body += piece.toString()));
      response.on('end', () => {
        const status = response.statusCode ?? 0;
        this.#note(() => (this.refused = { status, body, headers: response.headers }));
        request.destroy();
      });
    });
    raw.on('close', (code, reason) => this.#note(() => (this.closed = { code, reason: reason.toString() })));
  }

  send(event: RealtimeClientEvent): void {
    this.socket.send(event);
  }

  /** Text to the model, and a response asked for. */
  say(text: string, response?: Extract<RealtimeClientEvent, { type: 'response.create' }>['response']): void {
    const content = [{ type: 'input_text' as const, text }];
    this.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
    this.send({ type: 'response.create', ...(response !== undefined && { response }) });
  }

  /** The next event of one of these types that was not returned before; those between are passed over. */
  async next<Type extends ServerEvent['type']>(...types: Type[]): Promise<Of<Type>> {
    const names = types.join(' or ');
    for (;;) {
      for (; this.#read < this.events.length; this.#read++) {
        const event = this.events[this.#read];
        if (event === undefined || !(types as string[]).includes(event.type)) continue;
        this.#read++;
        return event as Of<Type>;
      }
      if (this.closed !== undefined || this.refused !== undefined)
        throw new Error(`no ${names}: ${JSON.stringify(this.closed ?? this.refused)}; ${this.#seen()}`);
      await this.#change(`no ${names} came`);
    }
  }

  async ended(): Promise<{ code: number; reason: string }> {
    while (this.closed === undefined) await this.#change('the connection stays open');
    return this.closed;
  }

  async refusal(): Promise<NonNullable<RealtimeClient['refused']>> {
    while (this.refused === undefined) {
      if (this.events.length > 0) throw new Error(`it was accepted: ${this.#seen()}`);
      await this.#change('it was not refused');
    }
    return this.refused;
  }

  count(type: ServerEvent['type']): number {
    return this.events.filter((event) => event.type === type).length;
  }

  close(): void {
    this.socket.socket.terminate();
  }

  #seen(): string {
    return this.events.map(({ type }) => type).join(' ');
  }

  #note(change: () => void): void {
    change();
    for (const wake of this.#waiting) wake();
  }

  async #change(otherwise: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${otherwise}; ${this.#seen()}`)), WAIT_MS);
      const wake = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      this.#waiting.add(wake);
    });
  }
}

/** Sound or silence: 16 bit, 24 kHz. */
export function pcm(ms: number, { loud }: { loud: boolean }): string {
  const samples = new Int16Array((24_000 * ms) / 1000);
  if (loud) samples.forEach((_, index) => (samples[index] = Math.round(8_000 * Math.sin(index / 10))));
  return Buffer.from(samples.buffer).toString('base64');
}
