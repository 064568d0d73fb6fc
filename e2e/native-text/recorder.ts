// An upstream that answers fixed bytes and keeps what it was sent, byte for byte.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

export interface Recorder {
  address: string;
  /** Oldest first. */
  calls: { path: string; body: string }[];
}

export interface FixedAnswer {
  type: string;
  body: string;
}

/** Ends with the test. */
export async function startRecorder(test: TestContext, { type, body }: FixedAnswer): Promise<Recorder> {
  const calls: Recorder['calls'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => {
      calls.push({ path: request.url ?? '', body: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(200, { 'content-type': type }).end(body);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}
