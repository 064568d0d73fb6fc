// A request to a public path and its answer as the wire gives them: through node:http, or from a plain connection.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlainRequest } from './plain/plain-request.ts';

/** What is there of a plain request is there whole. */
export type PublicRequest = IncomingMessage | PlainRequest;

export type PublicResponse = Pick<
  ServerResponse,
  | 'statusCode'
  | 'headersSent'
  | 'chunkedEncoding'
  | 'writableEnded'
  | 'writableFinished'
  | 'writableLength'
  | 'destroyed'
  | 'closed'
  | 'socket'
> & {
  setHeader(name: string, value: string): unknown;
  removeHeader(name: string): void;
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  write(bytes: Buffer): boolean;
  end(body?: Buffer | string): unknown;
  destroy(): unknown;
  once(event: 'close' | 'drain', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
};

/** What is behind a public path. */
export type PublicService = (request: PublicRequest, response: PublicResponse) => void;
