// The file of a backup: gzip of JSON lines. The first says what it is, then each table and file with its content; the last
// one has the counts, so that a file that was cut is not taken for a whole one.
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { finished } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Row, TableOfSnapshot, Value } from './snapshot.ts';

export interface BackupHead {
  tollgate_backup: 1;
  version: string;
  store: string;
  made_at: string;
  migrations: string[];
}

export interface BackupEnd {
  tables: number;
  rows: number;
  files: number;
  /** What reconcile read when the backup was made; amounts as decimal text. */
  books: Record<string, string>;
}

/** A line of the file behind the first. */
export type BackupLine =
  | { table: TableOfSnapshot }
  | { rows: Row[] }
  | { file: string; size: number }
  | { bytes: Uint8Array }
  | { end: BackupEnd };

export class BackupWriter {
  readonly #gzip = createGzip({ level: 4 });
  readonly #done: Promise<void>;

  constructor(file: string, head: BackupHead) {
    const target = this.#gzip.pipe(createWriteStream(file, { mode: 0o600, flush: true }));
    this.#gzip.on('error', (error) => target.destroy(error));
    this.#done = finished(target);
    this.#done.catch(() => {}); // `end` reports it
    this.#gzip.write(`${JSON.stringify(head)}\n`);
  }

  async write(line: BackupLine): Promise<void> {
    const text = 'bytes' in line ? Buffer.from(line.bytes).toString('base64') : line;
    const written = this.#gzip.write(`${JSON.stringify('bytes' in line ? { bytes: text } : text, encode)}\n`);
    if (!written) await Promise.race([drained(this.#gzip), this.#done]);
  }

  async end(end: BackupEnd): Promise<void> {
    this.#gzip.end(`${JSON.stringify({ end })}\n`);
    await this.#done;
  }
}

const drained = (stream: NodeJS.WritableStream): Promise<void> =>
  new Promise((resolve) => {
    stream.once('drain', resolve);
  });

/** It is no backup, or not all of one. */
export class BackupBroken extends Error {
  override name = 'BackupBroken';
}

/** Reads the lines one by one; ends with `BackupBroken` unless the last one is the end. */
export async function openBackup(file: string): Promise<{ head: BackupHead; lines: AsyncGenerator<BackupLine> }> {
  const lines = textLines(file);
  const { value: first } = await lines.next();
  const head = readHead(file, first);
  return { head, lines: readLines(file, lines) };
}

async function* textLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file);
  const plain = createGunzip();
  source.on('error', (error) => plain.destroy(error));
  try {
    for await (const line of createInterface({ input: source.pipe(plain), crlfDelay: Infinity })) yield line;
    if (plain.errored) throw plain.errored;
  } catch (error) {
    throw new BackupBroken(`${file} cannot be read to its end: ${(error as Error).message}`, { cause: error });
  } finally {
    source.destroy();
  }
}

function readHead(file: string, line: string | undefined | void): BackupHead {
  try {
    const head = JSON.parse(line ?? '') as BackupHead;
    if (head.tollgate_backup === 1) return head;
  } catch {
    // reported below
  }
  throw new BackupBroken(`${file} is no backup of Tollgate`);
}

async function* readLines(file: string, lines: AsyncIterable<string>): AsyncGenerator<BackupLine> {
  let isWhole = false;
  for await (const text of lines) {
    const line = JSON.parse(text, decode) as BackupLine | { bytes: string };
    isWhole = 'end' in line;
    yield 'bytes' in line ? { bytes: Buffer.from(line.bytes as string, 'base64') } : line;
  }
  if (!isWhole) throw new BackupBroken(`${file} ends too early: make the backup again`);
}

/** JSON has neither whole numbers of 64 bits nor bytes. */
function encode(this: unknown, _key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : { int: String(value) };
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') };
  if (isBuffer(value)) return { base64: Buffer.from(value.data).toString('base64') };
  return value;
}

/** `toJSON` of a Buffer comes before. */
function isBuffer(value: unknown): value is { type: 'Buffer'; data: number[] } {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer' && 'data' in value;
}

function decode(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('int' in value) return BigInt(value.int as string) satisfies Value;
  if ('base64' in value) return Buffer.from(value.base64 as string, 'base64') satisfies Value;
  return value;
}
