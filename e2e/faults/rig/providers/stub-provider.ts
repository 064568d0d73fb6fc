// A provider of chat answers that does exactly what a fault test tells it to, and writes down what it was asked and what
// it said. Calls are known by their `max_tokens`, of which each call of a test has its own.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pause } from '../../../support/wait.ts';
import type { SeenUsage } from '../../chat-client.ts';

/** What becomes of one call; all of it may be left out. */
export interface StubScript {
  /** Before the head. */
  delayMs?: number;
  status?: number;
  headers?: Record<string, string>;
  /** Pieces of text, each one output token. */
  pieces?: number;
  /** Bytes of each piece. */
  pieceBytes?: number;
  paceMs?: number;
  /** Keeps the usage to itself. */
  noUsage?: boolean;
  /** Says nothing more after so many pieces. */
  hangAfter?: number;
  /** Answers in the place of everything else. */
  answer?: (response: ServerResponse, record: StubRecord) => void | Promise<void>;
}

export interface StubRecord {
  id: number;
  at: number;
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: { max_tokens?: number; stream?: boolean } | null;
  maxTokens: number | undefined;
  pieces: number;
  /** What it reported of its usage. */
  usage: SeenUsage | undefined;
  finished: boolean;
  /** performance.now() when the gateway left before the end. */
  leftAt: number | undefined;
}

const ANSWER = { id: 'chatcmpl-stub', created: 1_760_000_000, model: 'sandbox-chat' };
const CHOICE = { index: 0, finish_reason: null };

export class StubProvider {
  readonly baseUrl: string;
  readonly records: StubRecord[] = [];
  /** Asked for each call. */
  script: (record: StubRecord) => StubScript = () => ({});
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => this.#take(request, response));
  }

  static async start(): Promise<StubProvider> {
    const server = createServer({ keepAliveTimeout: 60_000 }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new StubProvider(server);
  }

  recordOf(maxTokens: number | undefined): StubRecord | undefined {
    return this.records.find((record) => record.maxTokens === maxTokens);
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const record: StubRecord = {
      id: this.records.length,
      at: performance.now(),
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: null,
      maxTokens: undefined,
      pieces: 0,
      usage: undefined,
      finished: false,
      leftAt: undefined,
    };
    this.records.push(record);
    response.on('error', () => {});
    response.once('close', () => {
      if (!response.writableFinished) record.leftAt = performance.now();
    });
    const chunks: Buffer[] = [];
    request
      .on('error', () => {})
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', () => {
        record.body = JSON.parse(Buffer.concat(chunks).toString() || 'null') as StubRecord['body'];
        record.maxTokens = record.body?.max_tokens;
        void this.#answer(response, record).catch(() => response.destroy());
      });
  }

  async #answer(response: ServerResponse, record: StubRecord): Promise<void> {
    const script = this.script(record);
    if (script.delayMs !== undefined) await pause(script.delayMs);
    if (script.answer !== undefined) return script.answer(response, record);
    const { status = 200, headers = {} } = script;
    if (status !== 200)
      return sendJson(response, { status, headers, body: { error: { message: 'No.', code: 'stub' } } });
    if (record.body?.stream === true) return this.#stream(response, record, script);
    const { pieces = 3 } = script;
    const message = { role: 'assistant', content: textOf(script).repeat(pieces) };
    record.pieces = pieces;
    record.usage = script.noUsage === true ? undefined : usageOf(record, pieces);
    const usage = record.usage === undefined ? {} : { usage: wireUsage(record.usage) };
    const body = {
      ...ANSWER,
      object: 'chat.completion',
      choices: [{ ...CHOICE, message, finish_reason: 'stop' }],
      ...usage,
    };
    sendJson(response, { status, headers, body });
    record.finished = true;
  }

  async #stream(response: ServerResponse, record: StubRecord, script: StubScript): Promise<void> {
    const { pieces = 3, paceMs, hangAfter, headers } = script;
    const object = 'chat.completion.chunk';
    const event = (data: object): string => `data: ${JSON.stringify({ ...ANSWER, object, ...data })}\n\n`;
    const piece = event({ choices: [{ ...CHOICE, delta: { content: textOf(script) } }] });
    response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    while (record.pieces < pieces) {
      if (record.pieces === hangAfter) return;
      if (response.destroyed) return;
      const taken = response.write(piece);
      record.pieces++;
      if (paceMs !== undefined) await pause(paceMs);
      if (!taken) await drained(response);
    }
    response.write(event({ choices: [{ ...CHOICE, delta: {}, finish_reason: 'stop' }] }));
    if (script.noUsage !== true) {
      record.usage = usageOf(record, pieces);
      response.write(event({ choices: [], usage: wireUsage(record.usage) }));
    }
    response.end('data: [DONE]\n\n');
    record.finished = true;
  }
}

/** Or closed. */
export async function drained(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).catch(() => {});
  over.abort();
}

const textOf = ({ pieceBytes = 5 }: StubScript): string => `${'x'.repeat(Math.max(1, pieceBytes - 1))} `;

/** Differs from call to call, so that no charge is right by chance. */
function usageOf({ maxTokens = 0 }: StubRecord, output: number): SeenUsage {
  return { input: 10 + (maxTokens % 7), cached: maxTokens % 3, output };
}

function wireUsage({ input, cached, output }: SeenUsage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
}

function sendJson(
  response: ServerResponse,
  { status, headers, body }: { status: number; headers: Record<string, string>; body: object },
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
