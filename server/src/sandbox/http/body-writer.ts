// Writes an answer's body bytes with backpressure, compressed or in tiny pieces when the behaviour asks for it.
import { once } from 'node:events';
import { constants, createGzip } from 'node:zlib';
import type { Behaviour } from '../scenarios.ts';
import { type Exchange, yieldTurn } from './exchange.ts';
import { splitBytes } from './split-bytes.ts';

export type BodyWriter = {
  write(content: string | Buffer): Promise<void>;
  end(): Promise<void>;
};

const writesPerTurn = 64;

export function openBody(exchange: Exchange, behaviour: Behaviour): BodyWriter {
  const { response, record, signal } = exchange;
  const compressor = behaviour.gzip ? createCompressor() : undefined;
  let writes = 0;

  async function put(bytes: Buffer): Promise<void> {
    signal.throwIfAborted();
    record.bytesSent += bytes.length;
    if (!response.write(bytes)) await once(response, 'drain', { signal });
    writes += 1;
    // A fast reader never pushes back; without this a long answer would hold the event loop to its end.
    if (behaviour.split || writes % writesPerTurn === 0) await yieldTurn(exchange);
  }

  async function putAll(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return;
    if (!behaviour.split) return put(bytes);
    for (const piece of splitBytes(bytes)) await put(piece);
  }

  return {
    async write(content) {
      const bytes = typeof content === 'string' ? Buffer.from(content) : content;
      await putAll(compressor === undefined ? bytes : await compressor.compress(bytes));
    },
    async end() {
      if (compressor !== undefined) await putAll(await compressor.finish());
      signal.throwIfAborted();
      response.end();
    },
  };
}

type Compressor = { compress(bytes: Buffer): Promise<Buffer>; finish(): Promise<Buffer> };

/** Gives the compressed bytes of every write at once, so that events are not kept back. */
function createCompressor(): Compressor {
  const gzip = createGzip();
  const output: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => output.push(chunk));
  const takeOutput = (): Buffer => Buffer.concat(output.splice(0));
  return {
    async compress(bytes) {
      gzip.write(bytes);
      await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, resolve));
      return takeOutput();
    },
    async finish() {
      gzip.end();
      await once(gzip, 'end');
      return takeOutput();
    },
  };
}
