// The chat requests that every relay gets, as ready bytes. What the upstream shall do stands in the prompt, since that
// is the one place that every relay hands on unchanged.

export type Protocol = 'chat' | 'messages';

export const chatPath = '/v1/chat/completions';
export const messagesPath = '/v1/messages';

export interface Target {
  port: number;
  protocol: Protocol;
  path: string;
  headers: Record<string, string>;
  model: string;
}

export interface StreamShape {
  chunks: number;
  everyMs: number;
}

const filler = 'The quick brown fox said \\"hello\\",\\n jumped over the lazy dog and went home by the river. ';

function messagesOf(bytes: number): string {
  // Long bodies are long conversations: many messages of ordinary size, escapes included, as clients send them.
  const perMessage = Math.min(bytes, 2000);
  const text = filler
    .repeat(Math.ceil(perMessage / filler.length))
    .slice(0, perMessage)
    .replace(/\\$/, '.');
  const count = Math.max(1, Math.round(bytes / (perMessage + 31)));
  return Array.from({ length: count }, () => `{"role":"user","content":"${text}"}`).join(',');
}

function writeRequest(target: Target, body: string): Buffer {
  const headers = Object.entries(target.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const head =
    `POST ${target.path} HTTP/1.1\r\nhost: 127.0.0.1:${target.port}\r\ncontent-type: application/json\r\n` +
    `accept: */*\r\nuser-agent: tollgate-bench\r\n${headers.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.from(head + body);
}

/** A request for a whole answer with a body of about `bytes`. */
export function wholeRequest(target: Target, bytes: number): Buffer {
  const system = {
    chat: '"messages":[{"role":"system","content":"You are brief."},',
    messages: '"system":"You are brief.","messages":[',
  };
  const start = `{"model":"${target.model}",${system[target.protocol]}`;
  const end = `],"temperature":0.7,"max_tokens":200}`;
  return writeRequest(target, start + messagesOf(bytes - start.length - end.length - 31) + end);
}

/** A request for a streamed answer; usage is asked for, so that every relay hands on the same events. */
export function streamRequest(target: Target, shape: StreamShape): Buffer {
  const prompt = `{"role":"user","content":"chunks=${shape.chunks} every=${shape.everyMs}"}`;
  const stream = { chat: '"stream":true,"stream_options":{"include_usage":true}', messages: '"stream":true' };
  const start = `{"model":"${target.model}",${stream[target.protocol]},"messages":[${prompt},`;
  return writeRequest(target, `${start}${messagesOf(1100)}],"temperature":0.7,"max_tokens":200}`);
}

/** What a streamed request asks of the upstream; undefined for a request for a whole answer. */
export function readStreamShape(body: string): StreamShape | undefined {
  if (!/"stream"\s*:\s*true/.test(body)) return undefined;
  const asked = /chunks=(\d+) every=(\d+)/.exec(body);
  return { chunks: Number(asked?.[1] ?? 10), everyMs: Number(asked?.[2] ?? 20) };
}

/** Server-sent events that end a stream after its chunks, at least: usage and the last one. */
export const closingEvents = 2;

/** How the last event of a stream ends. */
export const lastWords: Readonly<Record<Protocol, Buffer>> = {
  chat: Buffer.from('data: [DONE]\n\n'),
  messages: Buffer.from('data: {"type":"message_stop"}\n\n'),
};
