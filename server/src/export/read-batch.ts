// The rows of a batch as operators see them, read page by page: requests are served between two pages.
import { writeLedgerEntry } from '../operator/records/credits.ts';
import { writeLogLine } from '../operator/records/requests.ts';
import { type ExportRange, readEntries, readRequests } from '../store/queries/exports.ts';
import type { Reads } from '../store/store.ts';
import type { ExportedLine } from './sink.ts';

const PAGE = 200;

export async function readBatch(reads: Reads, range: ExportRange): Promise<ExportedLine[]> {
  const lines: ExportedLine[] = [];
  let { from } = range;
  const { to } = range;
  for (;;) {
    let count: number;
    if (range.name === 'ledger') {
      const rows = await readEntries(reads, { from, to }, PAGE);
      for (const row of rows) lines.push({ version: row.id, record: writeLedgerEntry(row) });
      count = rows.length;
      from = { number: rows.at(-1)?.id ?? to.number, id: '' };
    } else {
      const rows = await readRequests(reads, { from, to }, PAGE);
      for (const row of rows) lines.push({ version: row.change, record: writeLogLine(row) });
      count = rows.length;
      const last = rows.at(-1);
      if (last !== undefined) from = to.number < 0n ? { number: -1n, id: last.id } : { number: last.change, id: '' };
    }
    if (count < PAGE) return lines;
  }
}
