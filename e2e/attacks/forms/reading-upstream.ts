// An upstream that reads each form with every reader on Node, serves what the most generous of them saw, and keeps the bytes
// for the readers that are not on Node.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FormView } from './form-view.ts';
import { nodeReaders } from './node-readers.ts';

const LONGEST_READING_MS = 20_000;
/** As many as a request may ask for. */
const MOST_IMAGES = 128;

export interface ReceivedForm {
  path: string;
  contentType: string;
  body: Buffer;
  views: Map<string, FormView>;
}

export interface ReadingUpstream {
  baseUrl: string;
  /** The number of each is in its answer. */
  received: ReceivedForm[];
  stop(): void;
}

export async function startReadingUpstream(): Promise<ReadingUpstream> {
  const received: ReceivedForm[] = [];
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      const contentType = request.headers['content-type'] ?? '';
      const form = { path: request.url ?? '', contentType, body: Buffer.concat(pieces), views: new Map() };
      const number = received.push(form) - 1;
      void readByAll(form).then(() => {
        const answer = form.path.includes('/images/')
          ? {
              created: 1,
              data: Array.from({ length: mostAsked(form) }, () => ({ url: `https://images.test/${number}` })),
            }
          : { text: String(number) };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readByAll({ contentType, body, views }: ReceivedForm): Promise<void> {
  for (const [name, read] of Object.entries(nodeReaders)) {
    const reading = read(contentType, body);
    const seen = await ended(reading).catch((error: unknown) => ({ fields: { refused: [String(error)] }, files: [] }));
    views.set(name, seen);
  }
}

/** Some readers wait for ever for the end of a form that they cannot read. */
async function ended(reading: Promise<FormView>): Promise<FormView> {
  let timer: NodeJS.Timeout | undefined;
  const never = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the reader never ended')), LONGEST_READING_MS);
  });
  return Promise.race([reading, never]).finally(() => clearTimeout(timer));
}

function mostAsked({ views }: ReceivedForm): number {
  const asked = [...views.values()].flatMap(({ fields }) => fields['n'] ?? []).map(Number);
  return Math.max(1, ...asked.filter((count) => count > 0 && count <= MOST_IMAGES));
}
