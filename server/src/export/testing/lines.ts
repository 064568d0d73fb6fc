// Batches for tests of sinks.
import { writeLedgerEntry } from '../../operator/records/credits.ts';
import { writeLogLine } from '../../operator/records/requests.ts';
import type { ExportBatch, ExportedLine } from '../sink.ts';

export const HOUR = 1_759_996_800; // 2025-10-09 08:00 UTC

export function ledgerLine(id: bigint, amount: bigint, createdAt = HOUR): ExportedLine {
  const record = writeLedgerEntry({
    id,
    kind: amount < 0n ? 'credit' : 'settle',
    account_id: 'acc',
    token_id: null,
    hold_id: null,
    request_id: `req_${id}`,
    task_id: null,
    amount,
    balance_after: 5n,
    mode: 'live',
    usage_source: null,
    note: 'a "note"\twith\nü',
    author: null,
    created_at: createdAt,
  });
  return { version: id, record };
}

export function requestLine(id: string, version: bigint, charge: bigint): ExportedLine {
  const record = writeLogLine({
    id,
    account_id: 'acc',
    token_id: 'tok',
    group_name: 'default',
    endpoint: '/v1/chat/completions',
    model: 'm',
    channel_id: null,
    status: 200,
    error_code: null,
    attempts: '[]',
    first_byte_ms: null,
    total_ms: 1,
    usage: '{"input_tokens":3}',
    usage_source: null,
    charge,
    arithmetic: null,
    mode: 'live',
    created_at: HOUR + 60,
  });
  return { version, record };
}

export function ledgerBatch(lines: ExportedLine[], isRepeated = false): ExportBatch {
  const versions = lines.map(({ version }) => version);
  const from = { number: (versions[0] ?? 1n) - 1n, id: '' };
  return { name: 'ledger', from, to: { number: versions.at(-1) ?? 0n, id: '' }, lines, isRepeated };
}

export function requestBatch(lines: ExportedLine[], isRepeated = false): ExportBatch {
  return { ...ledgerBatch(lines, isRepeated), name: 'requests' };
}
