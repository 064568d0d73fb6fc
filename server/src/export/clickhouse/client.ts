// Statements to ClickHouse over HTTP. User and password travel in headers, and no error repeats them.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type ChooseServiceProxy, readText, ServiceClient } from '../../shared/service-client.ts';
import type { ClickHouseAddress } from '../read-sinks.ts';

const compress = promisify(gzip);
const MOST_COMPLAINT = 500;

export class ClickHouseClient {
  readonly #address: ClickHouseAddress;
  readonly #client: ServiceClient;

  constructor(address: ClickHouseAddress, chooseProxy: ChooseServiceProxy) {
    this.#address = address;
    this.#client = new ServiceClient('ClickHouse', address.origin, chooseProxy);
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
    this.#client.close();
  }

  async #send(
    parameters: Readonly<Record<string, string>>,
    body: Buffer,
    headers: Readonly<Record<string, string>>,
  ): Promise<string> {
    const { origin, user, password, database } = this.#address;
    const url = new URL(origin);
    for (const [name, value] of Object.entries({ database, ...parameters })) url.searchParams.set(name, value);
    const { outgoing, answered } = this.#client.begin(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-length': body.length,
        'x-clickhouse-user': encodeHeader(user),
        'x-clickhouse-key': encodeHeader(password),
      },
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
