// What the sandbox does instead of answering, when a behaviour asks for that.
import type { SandboxProtocol } from '../protocol.ts';
import type { Failure } from '../refusal.ts';
import type { Substitute } from '../scenarios.ts';
import { type Exchange, makeRequestId, readHead, resetConnection, sendHead } from './exchange.ts';
import { sendWhole } from './send-whole.ts';

const page = '<!doctype html><html><head><title>Welcome</title></head><body><h1>It works!</h1></body></html>\n';

type Options = { protocol: SandboxProtocol; wantsStream: boolean };

export async function sendSubstitute(exchange: Exchange, substitute: Substitute, options: Options): Promise<void> {
  switch (substitute.kind) {
    case 'failure':
      return sendFailure(exchange, options.protocol, substitute);
    case 'hang':
      return;
    case 'reset':
      return resetConnection(exchange);
    case 'garbage':
      return sendText(exchange, 'text/html; charset=utf-8', page);
    case 'empty':
      return sendText(exchange, options.wantsStream ? 'text/event-stream; charset=utf-8' : 'application/json', '');
    case 'redirect':
      sendHead(exchange, 302, { location: `http://${exchange.request.headers.host ?? 'localhost'}/redirected` });
      exchange.response.end();
  }
}

export async function sendFailure(exchange: Exchange, protocol: SandboxProtocol, failure: Failure): Promise<void> {
  const { status, retryAfterSeconds, allow } = failure;
  const headers = {
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
    ...(allow === undefined ? {} : { allow }),
    ...protocol.errorHeaders?.(failure),
  };
  const about = { requestId: makeRequestId(exchange), head: readHead(exchange.request) };
  await sendWhole(exchange, { status, headers, body: protocol.writeError(failure, about) });
}

function sendText(exchange: Exchange, type: string, text: string): void {
  sendHead(exchange, 200, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  exchange.record.bytesSent += Buffer.byteLength(text);
  exchange.response.end(text);
}
