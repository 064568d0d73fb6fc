// What is used of the library `ws`, which comes without types.
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
  import type { Socket } from 'node:net';
  import type { Duplex } from 'node:stream';

  export interface ClientOptions extends Omit<RequestOptions, 'createConnection'> {
    ca?: string;
    followRedirects?: boolean;
    handshakeTimeout?: number;
    maxPayload?: number;
    perMessageDeflate?: boolean;
    skipUTF8Validation?: boolean;
    createConnection?(
      options: { host: string; port: number | string; servername?: string },
      done: (error: Error | null, socket?: Socket) => void,
    ): Socket | undefined;
  }

  interface SocketEvents {
    open: [];
    message: [data: Buffer, isBinary: boolean];
    close: [code: number, reason: Buffer];
    error: [error: Error & { code?: string }];
    ping: [data: Buffer];
    pong: [data: Buffer];
    'unexpected-response': [request: ClientRequest, response: IncomingMessage];
  }

  export class WebSocket extends EventEmitter<SocketEvents> {
    readonly CONNECTING: 0;
    readonly OPEN: 1;
    readonly CLOSING: 2;
    readonly CLOSED: 3;
    readonly readyState: 0 | 1 | 2 | 3;
    /** Bytes that were sent and have not left. */
    readonly bufferedAmount: number;
    /** The subprotocol that the server chose; '' for none. */
    readonly protocol: string;
    constructor(address: string | URL, options?: ClientOptions);
    constructor(address: string | URL, protocols: string | readonly string[], options?: ClientOptions);
    send(data: string | Buffer, done?: (error?: Error | null) => void): void;
    send(data: string | Buffer, options: { binary?: boolean }, done?: (error?: Error | null) => void): void;
    close(code?: number, reason?: string | Buffer): void;
    terminate(): void;
    ping(): void;
    pause(): void;
    resume(): void;
  }

  export interface ServerOptions {
    noServer: true;
    perMessageDeflate?: boolean;
    maxPayload?: number;
    handleProtocols?(offered: Set<string>, request: IncomingMessage): string | false;
  }

  export class WebSocketServer extends EventEmitter<{
    headers: [headers: string[], request: IncomingMessage];
    wsClientError: [error: Error, socket: Duplex, request: IncomingMessage];
  }> {
    readonly clients: Set<WebSocket>;
    constructor(options: ServerOptions);
    handleUpgrade(
      request: IncomingMessage,
      socket: Duplex,
      head: Buffer,
      done: (opened: WebSocket, request: IncomingMessage) => void,
    ): void;
  }
}
