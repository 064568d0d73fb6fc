// A client on a bare socket, which reads as slowly as it likes, or never, or leaves.
import { connect, type Socket } from 'node:net';
import type { Rig } from '../rig.ts';
import type { StubScript } from '../providers/stub-provider.ts';
import { TOKENS_MODEL } from '../../operator.ts';

export interface RawCall {
  socket: Socket;
  maxTokens: number;
  /** What has been read so far. */
  bytes: number;
  requestId: string | undefined;
  isClosed: boolean;
}

/** A stream that the client has asked for; nothing is read until `socket.resume()` or `socket.read()`. */
export function openStream(rig: Rig, script: StubScript, { gateway = 0, localAddress = '127.0.0.1' } = {}): RawCall {
  const maxTokens = rig.nextCall(script);
  const body = JSON.stringify({
    model: TOKENS_MODEL,
    messages: [{ role: 'user', content: 'Tell me.' }],
    max_tokens: maxTokens,
    stream: true,
  });
  const { port } = rig.gateway(gateway);
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  const call: RawCall = { socket, maxTokens, bytes: 0, requestId: undefined, isClosed: false };
  socket.on('error', () => {});
  socket.on('close', () => {
    call.isClosed = true;
  });
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${rig.key}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  return call;
}

/** Reads on, and counts. */
export function readOn(call: RawCall): void {
  call.socket.on('data', (chunk) => {
    call.bytes += chunk.length;
    call.requestId ??= /x-request-id: (\S+)/i.exec(chunk.toString('latin1'))?.[1];
  });
}
