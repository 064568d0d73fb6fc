// `copy ... from stdin`: rows travel as lines of text, without a statement for each of them. The driver sends such a stream
// for an object that knows its messages.
import { once } from 'node:events';
import type pg from 'pg';
import type { Row, Value } from '../copy/snapshot.ts';

/** What the driver has for it, beyond its types. */
interface CopyConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

export class CopyIn implements pg.Submittable {
  readonly #text: string;
  readonly #opened = Promise.withResolvers<CopyConnection>();
  readonly #ended = Promise.withResolvers<void>();

  constructor(table: string, columns: readonly string[]) {
    this.#text = `copy ${table} (${columns.join(', ')}) from stdin`;
    this.#opened.promise.catch(() => {}); // reported where they are awaited
    this.#ended.promise.catch(() => {});
  }

  async write(rows: readonly Row[]): Promise<void> {
    const connection = await this.#opened.promise;
    connection.sendCopyFromChunk(Buffer.from(rows.map(lineOf).join('')));
    // The server reads at its own pace; an error ends the wait too.
    if (connection.stream.writableNeedDrain)
      await Promise.race([once(connection.stream, 'drain'), this.#ended.promise]);
  }

  async end(): Promise<void> {
    (await this.#opened.promise).endCopyFrom();
    await this.#ended.promise;
  }

  // What the driver calls.

  submit(connection: pg.Connection): void {
    connection.query(this.#text);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#opened.resolve(connection);
  }

  handleCommandComplete(): void {
    // the server is ready soon after
  }

  handleReadyForQuery(): void {
    this.#ended.resolve();
  }

  handleError(error: Error): void {
    this.#opened.reject(error);
    this.#ended.reject(error);
  }
}

const lineOf = (row: Row): string => `${row.map(textOf).join('\t')}\n`;

const ESCAPED: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function textOf(value: Value): string {
  if (value === null) return '\\N';
  if (typeof value === 'string')
    return /[\\\t\n\r]/.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (sign) => ESCAPED[sign] ?? sign) : value;
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`;
  return String(value);
}
