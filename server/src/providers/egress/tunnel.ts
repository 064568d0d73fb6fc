// A connection through an HTTP proxy: CONNECT (RFC 9110 9.3.6), then bytes as if there were no proxy. TLS is between us and
// the upstream, so a proxy sees the host and nothing else.
import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { buildConnector, errors } from '../../shared/runtime/undici.ts';

type Connector = ReturnType<typeof buildConnector>;

export interface TunnelOptions {
  connectMs: number;
  /** The address to ask the proxy for, where that is not to be looked up by the proxy; the name stays that of TLS. */
  resolve?: ((hostname: string) => Promise<string>) | undefined;
}

const MOST_HEAD_BYTES = 16_384;

/** For a pool of connections to one origin. */
export function tunnelThrough(proxy: string, { connectMs, resolve }: TunnelOptions): Connector {
  const finish = buildConnector({ timeout: connectMs, allowH2: false });
  return (options, callback) => {
    const { hostname, port, protocol } = options;
    openTunnel(proxy, { hostname, port: port || (protocol === 'https:' ? '443' : '80'), connectMs, resolve }).then(
      (socket) => {
        if (protocol === 'https:') finish({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

interface Target extends TunnelOptions {
  hostname: string;
  port: string;
}

async function openTunnel(proxy: string, { hostname, port, connectMs, resolve }: Target): Promise<Socket> {
  const url = new URL(proxy);
  const host = resolve === undefined ? hostname : await resolve(hostname);
  const socket = connectTo(url);
  const timer = setTimeout(() => socket.destroy(new errors.ConnectTimeoutError()), connectMs);
  try {
    await once(socket, url.protocol === 'https:' ? 'secureConnect' : 'connect');
    const authority = `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port}`;
    socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n${credentialsOf(url)}\r\n`);
    const status = await readStatus(socket);
    if (status === 200) return socket;
    throw refusal(status);
  } catch (error) {
    socket.on('error', () => {}).destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function connectTo({ protocol, hostname, port }: URL): Socket {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol !== 'https:') return connectPlain({ host, port: Number(port || 80) });
  return connectTls({ host, port: Number(port || 443), servername: host });
}

function credentialsOf({ username, password }: URL): string {
  if (username === '' && password === '') return '';
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `proxy-authorization: Basic ${Buffer.from(pair).toString('base64')}\r\n`;
}

/** Reads the head of the proxy's answer and not a byte more. */
async function readStatus(socket: Socket): Promise<number> {
  let head = '';
  for (;;) {
    const piece = socket.read(1) as Buffer | null;
    if (piece === null) {
      if (socket.readableEnded || socket.destroyed) throw new errors.SocketError('the proxy closed the connection');
      await Promise.race([once(socket, 'readable'), once(socket, 'end'), once(socket, 'close')]);
      continue;
    }
    head += piece.toString('latin1');
    if (head.endsWith('\r\n\r\n')) break;
    if (head.length > MOST_HEAD_BYTES) throw new errors.SocketError('the answer of the proxy is too long');
  }
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0);
}

function refusal(status: number): Error {
  const why = status === 407 ? 'wants other credentials' : 'does not connect';
  return Object.assign(new Error(`the proxy ${why} (${status})`), { code: 'PROXY_REFUSED' });
}
