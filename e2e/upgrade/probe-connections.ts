// Clients that open a connection for each request while a port changes hands.
import { connect } from 'node:net';
import { pause } from '../support/wait.ts';

const PROBES = 4;

/** Clients that open a connection for each request, on and on; what they saw that was no answer. */
export function probeConnections(port: number): { made(): number; end(): Promise<string[]> } {
  const failures: string[] = [];
  const over = new AbortController();
  let made = 0;
  const ask = (): Promise<void> =>
    new Promise((resolve) => {
      let text = '';
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
      });
      socket.on('data', (piece: Buffer) => (text += piece.toString()));
      socket.on('error', (error) => failures.push(error.message));
      socket.on('close', () => {
        if (!text.startsWith('HTTP/1.1 200')) failures.push(`closed with "${text.slice(0, 80)}"`);
        made++;
        resolve();
      });
    });
  const onAndOn = async (): Promise<void> => {
    while (!over.signal.aborted) {
      await ask();
      await pause(3); // the new process needs the processor too
    }
  };
  const probes = Promise.all(Array.from({ length: PROBES }, onAndOn));
  return {
    made: () => made,
    async end() {
      over.abort();
      await probes;
      return failures;
    },
  };
}
