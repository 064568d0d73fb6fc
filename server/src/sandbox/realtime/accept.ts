// A request to become a WebSocket: judged as every other call, then a realtime session, or refused over HTTP.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { joinBehaviours, readBehavePath } from '../directives.ts';
import type { SandboxContext } from '../http/answer-call.ts';
import type { Head } from '../http/head.ts';
import { checkKey } from '../http/keys.ts';
import { checkModel } from '../openai/models.ts';
import type { SandboxProtocol } from '../protocol.ts';
import type { SandboxRecord } from '../records.ts';
import { type Failure, Refusal } from '../refusal.ts';
import { STATUS_CODES } from '../../shared/runtime/node-http.ts';
import { loadWebSockets, type WebSocket, type WebSocketServer } from '../../shared/runtime/websockets.ts';
import { openConnection } from './connection.ts';
import { RealtimeSession } from './session.ts';

const mostFrameBytes = 16 * 1024 * 1024;
/** So many types of events are remembered of a session. */
const mostSeen = 10_000;

export type Upgrade = { request: IncomingMessage; socket: Duplex; head: Buffer; record: SandboxRecord; target: Head };

export type RealtimeDoor = { take(upgrade: Upgrade): void; stop(): Promise<void> };

export function openRealtimeDoor(context: SandboxContext, now: () => number): RealtimeDoor {
  let opening: Promise<WebSocketServer> | undefined;
  const open = async (): Promise<WebSocketServer> => {
    const { WebSocketServer } = await loadWebSockets();
    return new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: mostFrameBytes,
      handleProtocols: (offered) => (offered.has('realtime') ? 'realtime' : false),
    });
  };
  const take = async (upgrade: Upgrade): Promise<void> => {
    const { request, socket, head, record, target } = upgrade;
    socket.on('error', () => {});
    const server = await (opening ??= open());
    const behaved = readBehavePath(target.path);
    const protocol = context.protocols.find(({ prefix }) => `${behaved.path}/`.startsWith(`/${prefix}/`));
    const due = context.onceMemory.stillDue(behaved.directives, { key: '', path: target.path });
    record.directives = due.map(({ text }) => text);
    const { waitMs = 0, substitute } = joinBehaviours(due);
    if (waitMs > 0) await pause(waitMs);
    if (substitute?.kind === 'hang') return;
    if (substitute?.kind === 'reset') return void socket.destroy();
    try {
      if (substitute !== undefined) throw new Refusal(substitute.kind === 'failure' ? substitute : { status: 500 });
      const model = admit(protocol, { target, path: behaved.path, request, now: now() }, context.models);
      server.handleUpgrade(request, socket, head, (opened) => {
        record.status = 101;
        serve(opened, record, { model, directives: due, now });
      });
    } catch (error) {
      refuse(socket, record, protocol, error instanceof Refusal ? error.failure : { status: 500 });
    }
  };
  return {
    take: (upgrade) => void take(upgrade),
    async stop() {
      for (const client of (await opening)?.clients ?? []) client.terminate();
    },
  };
}

type Asked = { target: Head; path: string; request: IncomingMessage; now: number };

function admit(protocol: SandboxProtocol | undefined, asked: Asked, models: readonly string[]): string {
  const { target: head, request, now } = asked;
  const path = asked.path.slice((protocol?.prefix.length ?? 0) + 1);
  if (protocol?.realtime?.test(path) !== true)
    throw new Refusal({ status: 404, message: `Invalid URL (GET ${path})`, code: 'unknown_url' });
  const caller = { head, method: 'GET', path, url: request.url ?? '/', bytes: Buffer.alloc(0), now };
  if (protocol.authenticate === undefined) checkKey(head, protocol);
  else protocol.authenticate(caller);
  if (head.headers['openai-beta'] !== undefined)
    throw new Refusal({ status: 400, message: 'The Realtime Beta API is gone.', code: 'beta_api_shape_disabled' });
  const model = head.query.get('model');
  if (model === null || model === '')
    throw new Refusal({ status: 400, message: 'You must provide a model parameter.', code: 'missing_model' });
  checkModel(model, models);
  return model;
}

function serve(
  socket: WebSocket,
  record: SandboxRecord,
  {
    model,
    directives,
    now,
  }: Pick<ConstructorParameters<typeof RealtimeSession>[0], 'model' | 'directives'> & {
    now: () => number;
  },
): void {
  const seen: { model: string; events: string[]; closed: { code: number; reason: string } | null } = {
    model,
    events: [],
    closed: null,
  };
  record.body = seen;
  const session = new RealtimeSession({ connection: openConnection(socket, record), model, directives, now: now() });
  socket.on('error', () => {});
  socket.on('message', (data, isBinary) => {
    const text = data.toString('utf8');
    record.bodyBytes += text.length;
    if (seen.events.length < mostSeen) seen.events.push(isBinary ? 'binary' : readType(text));
    if (isBinary) socket.close(1003, 'Expected text.');
    else session.take(text);
  });
  socket.on('close', (code, reason) => {
    seen.closed = { code, reason: reason.toString() };
    record.finished = true;
    record.finishedAt = now();
    record.aborted = code === 1006;
    session.end();
  });
}

function readType(text: string): string {
  return /"type"\s*:\s*"([\w.]+)"/.exec(text)?.[1] ?? '?';
}

function refuse(socket: Duplex, record: SandboxRecord, protocol: SandboxProtocol | undefined, failure: Failure): void {
  record.status = failure.status;
  record.finished = true;
  const head = { path: record.path, query: new URLSearchParams(), headers: {} };
  const about = { requestId: `req_sandbox_${record.id}`, head };
  const body = JSON.stringify(protocol?.writeError(failure, about) ?? { error: { message: failure.message } });
  const { retryAfterSeconds: wait } = failure;
  const retry = wait === undefined ? '' : `retry-after: ${wait}\r\n`;
  socket.end(
    `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status] ?? ''}\r\ncontent-type: application/json\r\n${retry}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
