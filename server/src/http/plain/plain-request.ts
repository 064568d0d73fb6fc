// A plain request, whole when it is served.
import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';

export interface PlainRequest {
  method: string;
  url: string;
  headers: Readonly<IncomingHttpHeaders>;
  socket: Pick<Socket, 'remoteAddress'>;
  complete: true;
  body: Buffer;
}
