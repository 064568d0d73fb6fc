// A batch as files: NDJSON.gz, one for each hour in which its rows were made, named by the range of the batch. The same batch
// always makes the same names.
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { ExportRange } from '../store/queries/exports.ts';
import type { ExportBatch } from './sink.ts';

export interface BatchFile {
  /** Parts of the path: table, date=..., hour=..., name. */
  path: [table: string, date: string, hour: string, name: string];
  bytes: Buffer;
}

const compress = promisify(gzip);
const HOUR = 3600;
/** So many digits that the names of one folder are in the order of their numbers. */
const DIGITS = 15;

export async function* filesOf(batch: ExportBatch): AsyncGenerator<BatchFile> {
  const name = `${batch.name}-${rangeName(batch)}.ndjson.gz`;
  const hours = new Map<number, string[]>();
  for (const { version, record } of batch.lines) {
    const hour = Math.floor(record.created_at / HOUR);
    const line = JSON.stringify({ ...record, version: Number(version) });
    const lines = hours.get(hour);
    if (lines === undefined) hours.set(hour, [line]);
    else lines.push(line);
  }
  for (const [hour, lines] of [...hours].sort(([a], [b]) => a - b)) {
    const time = new Date(hour * HOUR * 1000).toISOString(); // 2026-01-02T03:00:00.000Z
    yield {
      path: [batch.name, `date=${time.slice(0, 10)}`, `hour=${time.slice(11, 13)}`, name],
      bytes: await compress(`${lines.join('\n')}\n`),
    };
  }
}

/** First and last number of a batch; ids where its lines have no numbers. */
function rangeName({ from, to }: Omit<ExportRange, 'name'>): string {
  if (to.number < 0n) return `${from.id === '' ? 'first' : from.id}-${to.id}`;
  const digits = (number: bigint): string => String(number).padStart(DIGITS, '0');
  return `${digits(from.number + 1n)}-${digits(to.number)}`;
}
