// The chat requests that every relay gets, as ready bytes. What the upstream shall do stands in the prompt, since that
// is the one place that every relay hands on unchanged.
import { writeWav } from '../../../server/src/sandbox/media/wav.ts';

export type Protocol = 'chat' | 'messages';

export const chatPath = '/v1/chat/completions';
export const messagesPath = '/v1/messages';
/** As long as those of real clients: some readers of forms refuse a shorter one. */
const boundary = '----benchBoundary0123456789abcdef';
const uploadPath = '/v1/audio/transcriptions';

export interface Target {
  host: string;
  port: number;
  protocol: Protocol;
  path: string;
  headers: Record<string, string>;
  model: string;
  /** Its upstream is not the canned one: of its answers only the status is known beforehand. */
  isForeign?: boolean;
}

/** Where nobody but the benchmark listens. */
export const loopback = '127.0.0.1';

export interface StreamShape {
  chunks: number;
  /** 0: as fast as they are taken. */
  everyMs: number;
  /** Length of the text in each chunk; undefined means one word. */
  chunkBytes?: number;
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

function writeHead(target: Target, body: { path: string; type: string; bytes: number }): string {
  const headers = Object.entries(target.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (
    `POST ${body.path} HTTP/1.1\r\nhost: ${target.host}:${target.port}\r\ncontent-type: ${body.type}\r\n` +
    `accept: */*\r\nuser-agent: tollgate-bench\r\n${headers.join('')}content-length: ${body.bytes}\r\n\r\n`
  );
}

function writeRequest(target: Target, body: string): Buffer {
  const about = { path: target.path, type: 'application/json', bytes: Buffer.byteLength(body) };
  return Buffer.from(writeHead(target, about) + body);
}

/** A form with a sound file of `bytes`. */
export function uploadRequest(target: Target, bytes: number): Buffer {
  const field = (name: string): string => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
  const parts = [
    Buffer.from(`${field('model')}\r\n\r\n${target.model}\r\n`),
    Buffer.from(`${field('file')}; filename="a.wav"\r\ncontent-type: audio/wav\r\n\r\n`),
    writeWav(Buffer.alloc(bytes, 'x'), 44_100),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ];
  const body = Buffer.concat(parts);
  const path = target.path.replace(chatPath, uploadPath);
  const head = writeHead(target, { path, type: `multipart/form-data; boundary=${boundary}`, bytes: body.length });
  return Buffer.concat([Buffer.from(head), body]);
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
  const size = shape.chunkBytes === undefined ? '' : ` bytes=${shape.chunkBytes}`;
  const prompt = `{"role":"user","content":"chunks=${shape.chunks} every=${shape.everyMs}${size}"}`;
  const stream = { chat: '"stream":true,"stream_options":{"include_usage":true}', messages: '"stream":true' };
  const start = `{"model":"${target.model}",${stream[target.protocol]},"messages":[${prompt},`;
  return writeRequest(target, `${start}${messagesOf(1100)}],"temperature":0.7,"max_tokens":200}`);
}

/** What a streamed request asks of the upstream; undefined for a request for a whole answer. */
export function readStreamShape(body: string): StreamShape | undefined {
  if (!/"stream"\s*:\s*true/.test(body)) return undefined;
  const [, chunks = 10, everyMs = 20, bytes] = /chunks=(\d+) every=(\d+)(?: bytes=(\d+))?/.exec(body) ?? [];
  const chunkBytes = bytes === undefined ? {} : { chunkBytes: Number(bytes) };
  return { chunks: Number(chunks), everyMs: Number(everyMs), ...chunkBytes };
}

/** Server-sent events that end a stream after its chunks, at least: usage and the last one. */
export const closingEvents = 2;

/** How the last event of a stream ends. */
export const lastWords: Readonly<Record<Protocol, Buffer>> = {
  chat: Buffer.from('data: [DONE]\n\n'),
  messages: Buffer.from('data: {"type":"message_stop"}\n\n'),
};
