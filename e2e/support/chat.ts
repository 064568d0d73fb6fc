// Chat calls as a plain HTTP client makes them, and their answers taken apart.
import assert from 'node:assert/strict';
import type { World } from './world.ts';

export type ChatBody = Record<string, unknown>;

export function chatBody(model: string, content: string, extra: ChatBody = {}): ChatBody {
  return { model, messages: [{ role: 'user', content }], ...extra };
}

export interface CallInit {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  path?: string;
  address?: string;
}

type Caller = Pick<World, 'gateway' | 'key' | 'model'>;

export function chat(world: Caller, content: string, extra: ChatBody = {}, init: CallInit = {}): Promise<Response> {
  return postChat(world, JSON.stringify(chatBody(world.model, content, extra)), init);
}

export function postChat(world: Omit<Caller, 'model'>, body: string | Buffer, init: CallInit = {}): Promise<Response> {
  return fetch(`${init.address ?? world.gateway.address}${init.path ?? '/v1/chat/completions'}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json', ...init.headers },
    body: new Uint8Array(Buffer.from(body)),
    ...(init.signal !== undefined && { signal: init.signal }),
  });
}

export interface ErrorBody {
  error: { message: string; type: string; param: string | null; code: string };
}

/** The answer must be an error in the compatible shape. */
export async function readError(response: Response, status: number, code: string): Promise<ErrorBody['error']> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assert.match(response.headers.get('x-request-id') ?? '', /^req_/);
  const { error } = JSON.parse(text) as ErrorBody;
  assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'param', 'type']);
  assert.equal(error.code, code);
  assert.notEqual(error.message, '');
  return error;
}

export interface ChatAnswer {
  id: string;
  model: string;
  choices: { message: { content: string | null }; finish_reason: string }[];
  usage?: Usage;
}

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
}

export async function readAnswer(response: Response): Promise<ChatAnswer> {
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as ChatAnswer;
}

export interface ChatEvent {
  choices?: { delta: { content?: string | null }; finish_reason: string | null }[];
  usage?: Usage | null;
  error?: ErrorBody['error'];
}

export interface ReadStream {
  raw: string;
  events: ChatEvent[];
  comments: string[];
  text: string;
  usage: Usage | undefined;
  error: ErrorBody['error'] | undefined;
  done: boolean;
}

export async function readStream(response: Response): Promise<ReadStream> {
  const raw = await response.text();
  assert.equal(response.status, 200, raw);
  assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
  return takeApart(raw);
}

export function takeApart(raw: string): ReadStream {
  const blocks = raw.split(/\r?\n\r?\n/).filter((block) => block !== '');
  const comments = blocks.filter((block) => block.startsWith(':'));
  const datas = blocks.filter((block) => !block.startsWith(':')).map((block) => block.replace(/^data: ?/, ''));
  const done = datas.at(-1) === '[DONE]';
  const events = (done ? datas.slice(0, -1) : datas).map((data) => JSON.parse(data) as ChatEvent);
  return {
    raw,
    events,
    comments,
    text: events.map((event) => event.choices?.[0]?.delta.content ?? '').join(''),
    usage: events.findLast((event) => event.usage !== undefined && event.usage !== null)?.usage ?? undefined,
    error: events.find((event) => event.error !== undefined)?.error,
    done,
  };
}
