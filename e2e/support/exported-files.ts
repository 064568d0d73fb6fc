// The files of an export, read back and added up.
import { gunzipSync } from 'node:zlib';
import { parseDecimal } from '../../server/src/shared/decimal.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import type { LoggedRequest } from '#contract/requests.ts';

export type ExportedRequest = Omit<LoggedRequest, 'task_status'> & { version: number };

export interface Exported {
  entries: Map<string, LedgerEntry>;
  /** The newest line of each. */
  requests: Map<string, ExportedRequest>;
  /** Lines of the ledger, those with an id that came before too. */
  lines: number;
}

export function readExported(files: Iterable<readonly [path: string, bytes: Buffer]>): Exported {
  const exported: Exported = { entries: new Map(), requests: new Map(), lines: 0 };
  for (const [path, bytes] of files)
    for (const text of String(gunzipSync(bytes)).trimEnd().split('\n')) {
      if (path.includes('ledger-')) {
        const entry = JSON.parse(text) as LedgerEntry;
        exported.entries.set(entry.id, entry);
        exported.lines++;
        continue;
      }
      const request = JSON.parse(text) as ExportedRequest;
      const known = exported.requests.get(request.id);
      if (known === undefined || known.version < request.version) exported.requests.set(request.id, request);
    }
  return exported;
}

/** Nano-units. */
export function sumOf(amounts: Iterable<string>): bigint {
  let total = 0n;
  for (const amount of amounts) total += parseDecimal(amount) ?? 0n;
  return total;
}
