// Sums of the request log by hour and by everything it is grouped by. The database itself adds each new line, in the
// transaction that writes it: a line that is written once is counted once, however often its batch is sent.
import type { DialectWords, KeptSums, Migration, SumColumn } from './migration.ts';

const KEYS: SumColumn[] = [
  { name: 'account_id', of: 'entry.account_id' },
  { name: 'token_id', of: 'entry.token_id' },
  { name: 'group_name', of: 'entry.group_name' },
  // Names that nobody offers are the caller's invention, and would fill the table.
  { name: 'model', of: `case when entry.error_code = 'model_not_found' then '' else coalesce(entry.model, '') end` },
  { name: 'channel_id', of: `coalesce(entry.channel_id, '')` },
  { name: 'mode', of: 'entry.mode' },
];

export function usageSumColumns({ jsonNumber, wholeHour }: Pick<DialectWords, 'jsonNumber' | 'wholeHour'>): KeptSums {
  const keys = [{ name: 'bucket', of: wholeHour('entry.created_at') }, ...KEYS];
  const sums: SumColumn[] = [
    { name: 'requests', of: '1' },
    { name: 'errors', of: 'case when entry.status >= 400 then 1 else 0 end' },
    { name: 'input_tokens', of: jsonNumber('entry.usage', 'input_tokens') },
    { name: 'output_tokens', of: jsonNumber('entry.usage', 'output_tokens') },
    { name: 'milliseconds', of: jsonNumber('entry.usage', 'seconds', 1000) },
    { name: 'images', of: jsonNumber('entry.usage', 'images') },
    { name: 'amount', of: 'entry.charge' },
    { name: 'first_byte_ms', of: 'coalesce(entry.first_byte_ms, 0)' },
    { name: 'first_bytes', of: 'case when entry.first_byte_ms is null then 0 else 1 end' },
    { name: 'total_ms', of: 'entry.total_ms' },
  ];
  return { from: 'requests', into: 'usage_sums', keys, sums };
}

export const usageSums: Migration = {
  name: '0020-usage-sums',
  statements: (words) => {
    const { id, money, time, byKey, keepSums } = words;
    const kept = usageSumColumns(words);
    return [
      `create table usage_sums (
        bucket ${time} not null, account_id ${id} not null, token_id ${id} not null, group_name ${id} not null,
        model ${id} not null, channel_id ${id} not null, mode ${id} not null,
        ${kept.sums.map(({ name }) => `${name} ${money} not null`).join(', ')},
        primary key (bucket, account_id, token_id, group_name, model, channel_id, mode)) ${byKey}`,
      ...keepSums(kept),
    ];
  },
};
