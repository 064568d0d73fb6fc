// TLS before a plain server, for client libraries that speak no other: a new certificate, bytes both ways.
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import { makeCertificate } from './self-signed.ts';

export interface TlsFront {
  /** https://localhost:port */
  address: string;
  /** In PEM: what a client has to trust. */
  certificate: string;
  /** Connections are passed on to this port from now on. */
  port: number;
  close(): void;
}

export async function startTlsFront(port: number, pair = makeCertificate('localhost')): Promise<TlsFront> {
  const { key, certificate } = pair;
  const sockets = new Set<Socket>();
  const server = createServer({ key, cert: certificate }, (outside) => {
    const inside = connect({ port: front.port, host: '127.0.0.1' });
    for (const [one, other] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const front: TlsFront = {
    address: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificate,
    port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return front;
}
