// A client without manners: writes any bytes to a socket and shows what comes back until the other side closes or is silent.
import { connect, type Socket } from 'node:net';

/** Before the first byte a busy machine may take its time; after it, silence is the end. */
const [FIRST_BYTE_MS, SILENCE_MS] = [20_000, 700];

export function openSocket(address: string): Socket {
  const { hostname, port } = new URL(address);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => {}); // a reset is one of the answers expected here
  return socket;
}

export async function sendRaw(address: string, bytes: string | Buffer, firstByteMs?: number): Promise<string> {
  const socket = openSocket(address);
  socket.write(bytes);
  return readSocket(socket, firstByteMs);
}

export function readSocket(socket: Socket, firstByteMs = FIRST_BYTE_MS): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const finish = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(firstByteMs, finish);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      socket.setTimeout(SILENCE_MS);
    });
    socket.on('close', finish);
  });
}

/** The statuses of all answers in the text. */
export function statuses(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}
