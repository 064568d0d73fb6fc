// A small ClickHouse for tests: it keeps the rows of inserts in memory and answers the few statements that the sink sends.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ClickHouseStub {
  url: string;
  /** Rows by table, as they came. */
  rows: Map<string, Record<string, unknown>[]>;
  statements: string[];
  /** Answers for statements that the stub does not know itself, by a part of them. */
  answers: Map<string, string>;
  stop(): Promise<void>;
}

export async function startClickHouseStub({ user, password }: { user: string; password: string }) {
  const stub: Omit<ClickHouseStub, 'url' | 'stop'> = { rows: new Map(), statements: [], answers: new Map() };
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { headers } = request;
      if (headers['x-clickhouse-user'] !== user || headers['x-clickhouse-key'] !== password)
        return void response.writeHead(401).end(`Code: 193, Wrong password "${password}" for user ${user}\nStack`);
      const body = Buffer.concat(pieces);
      const query = new URL(request.url ?? '/', 'http://x').searchParams.get('query') ?? String(body);
      stub.statements.push(query);
      response.end(answerTo(stub, query, headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { ...stub, url: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop } satisfies ClickHouseStub;
}

function answerTo({ rows, answers }: Pick<ClickHouseStub, 'rows' | 'answers'>, query: string, body: Buffer): string {
  const [, table] = /^INSERT INTO (\w+) FORMAT JSONEachRow$/.exec(query) ?? [];
  if (table !== undefined) {
    const lines = String(body).split('\n');
    rows.set(table, [...(rows.get(table) ?? []), ...lines.map((line) => JSON.parse(line) as Record<string, unknown>)]);
    return '';
  }
  const [, from, least, most] = /FROM (\w+) WHERE version > (\d+) AND version <= (\d+)/.exec(query) ?? [];
  if (from !== undefined) {
    const present = (rows.get(from) ?? []).filter(
      ({ version }) => Number(version) > Number(least) && Number(version) <= Number(most),
    );
    return present.map(({ id, version }) => `${String(id)} ${String(version)}\n`).join('');
  }
  for (const [part, answer] of answers) if (query.includes(part)) return answer;
  return '';
}
