// The sandbox's own pages under /_sandbox/, for tests and people in other processes. Not recorded, no key asked.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecordBook, SandboxRecord } from '../records.ts';
import type { TokenIssuer } from '../clouds/token-issuer.ts';
import type { SandboxTask } from '../video/task-memory.ts';

export const controlPrefix = '/_sandbox/';

export type ControlState = { book: RecordBook; clear: () => void; tasks: () => SandboxTask[]; tokens: TokenIssuer };

export async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  { book, clear, tasks, tokens }: ControlState,
): Promise<void> {
  request.resume();
  const url = new URL(request.url ?? '/', 'http://sandbox');
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /_sandbox/health':
      return sendJson(response, 200, { status: 'ok' });
    case 'GET /_sandbox/counts':
      return sendJson(response, 200, { counts: book.counts() });
    case 'GET /_sandbox/tasks':
      return sendJson(response, 200, { tasks: tasks() });
    case 'GET /_sandbox/records':
      return sendRecords(response, chooseRecords(book.records, url.searchParams));
    case 'GET /_sandbox/service-account':
      return sendJson(response, 200, tokens.serviceAccount());
    case 'DELETE /_sandbox/tokens':
      tokens.expireAll();
      response.writeHead(204).end();
      return;
    case 'DELETE /_sandbox/records':
      clear();
      response.writeHead(204).end();
      return;
    default:
      return sendJson(response, 404, {
        error:
          'Known here: GET health, GET counts, GET tasks, GET records (?after=ID&limit=N), DELETE records, GET service-account, DELETE tokens.',
      });
  }
}

function chooseRecords(records: readonly SandboxRecord[], query: URLSearchParams): SandboxRecord[] {
  const after = Number(query.get('after') ?? 0);
  const limit = Number(query.get('limit') ?? records.length);
  return records.filter((record) => record.id > after).slice(-limit || records.length);
}

/** One record at a time: all of them together may be longer than the longest string. */
async function sendRecords(response: ServerResponse, records: readonly SandboxRecord[]): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  response.on('error', () => {});
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"records":[');
  for (const [index, record] of records.entries()) {
    if (response.destroyed) return;
    const text = (index === 0 ? '' : ',\n') + writeRecord(record);
    if (!response.write(text)) await once(response, 'drain', { signal: gone.signal }).catch(() => {});
  }
  response.end(']}\n');
}

function writeRecord(record: SandboxRecord): string {
  try {
    return JSON.stringify(record);
  } catch {
    // A body nested too deeply to be written again; its raw text still tells.
    return JSON.stringify({ ...record, body: null });
  }
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}
