// Statements to ClickHouse over HTTP. User and password travel in headers, and no error repeats them.
import type { IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Agent as HttpAgent, request as httpRequest } from '../../shared/runtime/node-http.ts';
import type { ClickHouseAddress } from '../read-sinks.ts';

const compress = promisify(gzip);
/** Without a byte in either direction. */
const IDLE_MS = 30_000;
const MOST_COMPLAINT = 500;

export class ClickHouseClient {
  readonly #address: ClickHouseAddress;
  readonly #agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) };

  constructor(address: ClickHouseAddress) {
    this.#address = address;
  }

  get database(): string {
    return this.#address.database;
  }

  /** The answer as text. `settings` are parameters of the request. */
  async run(statement: string, settings: Readonly<Record<string, string>> = {}): Promise<string> {
    return this.#send(settings, Buffer.from(statement), {});
  }

  async insert(statement: string, rows: string, settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const body = await compress(rows);
    await this.#send({ query: statement, ...settings }, body, { 'content-encoding': 'gzip' });
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #send(
    parameters: Readonly<Record<string, string>>,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
  ): Promise<string> {
    const { origin, user, password, database } = this.#address;
    const url = new URL(origin);
    for (const [name, value] of Object.entries({ database, ...parameters })) url.searchParams.set(name, value);
    const isPlain = url.protocol === 'http:';
    const outgoing = (isPlain ? httpRequest : httpsRequest)(url, {
      method: 'POST',
      agent: this.#agents[isPlain ? 'http:' : 'https:'],
      headers: {
        ...headers,
        'content-length': body.length,
        'x-clickhouse-user': encodeHeader(user),
        'x-clickhouse-key': encodeHeader(password),
      },
    });
    outgoing.setTimeout(IDLE_MS, () => outgoing.destroy(new Error('ClickHouse does not answer')));
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve).on('error', reject);
    });
    outgoing.end(body);
    const answer = await answered;
    const text = await readText(answer);
    if (answer.statusCode !== 200) throw new Error(this.#complaint(answer.statusCode, text));
    return text;
  }

  #complaint(status: number | undefined, text: string): string {
    const { password } = this.#address;
    const [line = ''] = text.trim().split('\n');
    const shown = password === '' ? line : line.replaceAll(password, '[hidden]');
    return `ClickHouse answered ${status}: ${shown.slice(0, MOST_COMPLAINT)}`;
  }
}

/** Headers are bytes: other letters than those of ASCII go as UTF-8. */
function encodeHeader(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

async function readText(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}
