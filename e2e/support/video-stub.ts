// A provider of videos (family beta) that does exactly what a test tells it to: loses answers, fails polls, lets links
// expire; and that counts what it was asked.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sendJson } from './stub.ts';

export interface StubTask {
  id: string;
  key: string;
  body: { model: string; content: { type: string; text?: string }[] } & Record<string, unknown>;
  createdAt: number;
  polls: number;
  cancels: number;
  /** What the next polls answer; the last one stays. */
  script: StubState[];
}

export type StubState =
  | 'queued'
  | 'running'
  | 'succeeded'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | 'odd'
  | 'html'
  | 'empty'
  | 'reset'
  | 'hang'
  | 401
  | 403
  | 404
  | 429
  | 500;

/** What becomes of a submit. The task exists in all but the refusals. */
export type SubmitScript = 'taken' | 'reset' | 'no-id' | 'bare-502' | 'hang' | 400 | 401 | 429 | 500 | { code: string };

export interface VideoStub {
  baseUrl: string;
  tasks: Map<string, StubTask>;
  /** Submits that came, also those that were refused. */
  submits: number;
  polls: number;
  downloads: { range: string | undefined; authorization: string | undefined }[];
  submit: SubmitScript;
  /** For tasks made from now on. */
  script: StubState[];
  tokens: number;
  /** Links of a lower generation are refused as expired. */
  linkGeneration: number;
  /** Where finished tasks say that the video is; undefined = here. */
  link: string | undefined;
  /** Keeps its files compressed, and says so. */
  gzips: boolean;
  /** Why tasks fail. */
  failure: string;
  stop(): Promise<void>;
}

export const VIDEO = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 31) % 251));

/** Of every file. */
const ETAG = '"v1"';

export async function startVideoStub(): Promise<VideoStub> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .once('end', () => answer(request, response, Buffer.concat(chunks)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  server.unref(); // a test that failed may not come to stop it
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stub: VideoStub = {
    baseUrl: `${origin}/api/v3`,
    tasks: new Map(),
    submits: 0,
    polls: 0,
    downloads: [],
    submit: 'taken',
    script: ['queued', 'running', 'succeeded'],
    tokens: 108_900,
    linkGeneration: 0,
    link: undefined,
    gzips: false,
    failure: 'The output is not allowed.',
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };

  function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    if (pathname.startsWith('/files/')) return sendFile(request, response, Number(searchParams.get('generation')));
    const id = pathname.split('/tasks/')[1];
    if (request.method === 'POST') return create(request, response, body);
    if (id === undefined) return list(response);
    const task = stub.tasks.get(id);
    if (request.method === 'DELETE') return cancel(response, task);
    poll(response, task);
  }

  function create(request: IncomingMessage, response: ServerResponse, body: Buffer): void {
    stub.submits++;
    const { submit } = stub;
    if (typeof submit === 'number') return refuse(response, submit, ` by ${modelIn(body)}`);
    if (typeof submit === 'object') return sendJson(response, 200, { error: { ...submit, message: 'no' } });
    const task: StubTask = {
      id: `cgt-${stub.submits}-${Math.random().toString(36).slice(2, 8)}`,
      key: request.headers.authorization ?? '',
      body: JSON.parse(body.toString()) as StubTask['body'],
      createdAt: Math.floor(Date.now() / 1000),
      polls: 0,
      cancels: 0,
      script: [...stub.script],
    };
    stub.tasks.set(task.id, task);
    if (submit === 'reset') return void response.socket?.resetAndDestroy();
    if (submit === 'hang') return;
    if (submit === 'bare-502') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad</h1>');
    sendJson(response, 200, submit === 'no-id' ? {} : { id: task.id });
  }

  function poll(response: ServerResponse, task: StubTask | undefined): void {
    stub.polls++;
    if (task === undefined) return refuse(response, 404);
    task.polls++;
    const state = (task.script.length > 1 ? task.script.shift() : task.script[0]) ?? 'queued';
    if (typeof state === 'number') return refuse(response, state);
    if (state === 'reset') return void response.socket?.resetAndDestroy();
    if (state === 'hang') return;
    if (state === 'html') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>');
    if (state === 'empty') return void response.writeHead(200).end();
    sendJson(response, 200, shown(task, state));
  }

  function shown(task: StubTask, state: string): Record<string, unknown> {
    const link = stub.link ?? `${origin}/files/${task.id}.mp4?generation=${stub.linkGeneration}`;
    const facts = {
      id: task.id,
      model: task.body.model,
      status: state === 'odd' ? 'dreaming' : state,
      created_at: task.createdAt,
    };
    if (state === 'failed')
      return {
        ...facts,
        error: { code: 'OutputVideoSensitiveContentDetected', message: stub.failure },
      };
    if (state !== 'succeeded') return facts;
    const usage = { completion_tokens: stub.tokens, total_tokens: stub.tokens };
    return { ...facts, content: { video_url: link }, usage };
  }

  function list(response: ServerResponse): void {
    const items = [...stub.tasks.values()].map((task) => shown(task, 'queued'));
    sendJson(response, 200, { items, total: items.length });
  }

  function cancel(response: ServerResponse, task: StubTask | undefined): void {
    if (task === undefined) return refuse(response, 404);
    task.cancels++;
    task.script = ['cancelled'];
    sendJson(response, 200, {});
  }

  function sendFile(request: IncomingMessage, response: ServerResponse, generation: number): void {
    const { range, authorization } = request.headers;
    stub.downloads.push({ range, authorization });
    if (generation < stub.linkGeneration) return void response.writeHead(403).end('<Error/>');
    const { 'if-none-match': ifNoneMatch, 'if-range': ifRange = ETAG } = request.headers;
    if (ifNoneMatch === ETAG) return void response.writeHead(304, { etag: ETAG, 'set-cookie': 'tracking=1' }).end();
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(ifRange === ETAG ? (range ?? '') : '') ?? [];
    const headers = {
      'content-type': 'video/mp4',
      etag: ETAG,
      'accept-ranges': 'bytes',
      'set-cookie': 'tracking=1',
      'x-internal-host': 'storage-7',
    };
    if (stub.gzips)
      return void response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(gzipSync(VIDEO));
    if (first === undefined)
      return void response.writeHead(200, { ...headers, 'content-length': VIDEO.length }).end(VIDEO);
    const [start, end] = [Number(first), last === '' ? VIDEO.length - 1 : Number(last)];
    if (start >= VIDEO.length)
      return void response.writeHead(416, { 'content-range': `bytes */${VIDEO.length}` }).end();
    const part = VIDEO.subarray(start, end + 1);
    response
      .writeHead(206, {
        ...headers,
        'content-length': part.length,
        'content-range': `bytes ${start}-${end}/${VIDEO.length}`,
      })
      .end(part);
  }

  return stub;
}

function modelIn(body: Buffer): string {
  return (JSON.parse(body.toString()) as StubTask['body']).model;
}

function refuse(response: ServerResponse, status: number, by = ''): void {
  sendJson(response, status, {
    error: { code: `Stub${status}`, message: `The stub refuses with ${status}${by}.`, param: '' },
  });
}
