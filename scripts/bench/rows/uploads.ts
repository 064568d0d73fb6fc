// Resident memory while many large forms come in at once: 20 uploads of 30 MB, each through the relay to the upstream.
// What counts is how much a relay grows, since a body that is kept in memory shows here at once.
import { request } from 'node:http';
import { costIsKnown, residentMegabytes } from '../processes/cost.ts';
import type { Target } from '../wire/chat-request.ts';
import type { Row, RowContext } from './row.ts';

const uploads = 20;
const megabytes = 30;
const sampleMs = 50;
const piece = Buffer.alloc(1024 * 1024, 'x');

function upload({ port, headers, model }: Target): Promise<number> {
  const head = Buffer.from(
    `--b\r\ncontent-disposition: form-data; name="model"\r\n\r\n${model}\r\n` +
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\ncontent-type: audio/wav\r\n\r\n',
  );
  const tail = Buffer.from('\r\n--b--\r\n');
  return new Promise((resolve, reject) => {
    const call = request({
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: '/v1/audio/transcriptions',
      agent: false,
      headers: {
        ...headers,
        'content-type': 'multipart/form-data; boundary=b',
        'content-length': head.length + megabytes * piece.length + tail.length,
      },
    });
    call.once('error', reject);
    call.once('response', (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
    });
    void send(call, head, tail);
  });
}

async function send(call: ReturnType<typeof request>, head: Buffer, tail: Buffer): Promise<void> {
  call.write(head);
  for (let sent = 0; sent < megabytes && !call.destroyed; sent += 1) {
    if (!call.write(piece)) await new Promise((resolve) => call.once('drain', resolve));
  }
  call.end(tail);
}

async function measure(context: RowContext): Promise<void> {
  for (const relay of context.relays) {
    if (relay.pid === undefined || !costIsKnown) continue;
    const { pid } = relay;
    const before = residentMegabytes(pid);
    let most = before;
    const sampling = setInterval(() => {
      most = Math.max(most, residentMegabytes(pid));
    }, sampleMs);
    const statuses = await Promise.all(Array.from({ length: uploads }, () => upload(relay.target)));
    clearInterval(sampling);
    const failed = statuses.filter((status) => status !== 200).length;
    if (failed > 0) context.notes.push(`${relay.name}: ${failed} of ${uploads} uploads failed.`);
    context.figures.add('memory.uploads', relay.name, most - before);
  }
}

export const uploadMemory: Row = { name: 'uploads', after: measure };
