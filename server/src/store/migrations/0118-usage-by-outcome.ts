// The sums of usage by endpoint and status too, and by quarters of an hour: days of every time zone begin at one. What was
// summed before keeps its hours, an endpoint of '' and a status of 0.
import { usageSumColumns } from './0020-usage-sums.ts';
import type { DialectWords, KeptSums, Migration } from './migration.ts';

export function usageSumsByOutcome(
  words: Pick<DialectWords, 'jsonNumber' | 'wholeHour' | 'wholeQuarter'>,
): KeptSums & { key: string } {
  const { keys, ...kept } = usageSumColumns(words);
  const all = [
    ...keys.map((key) =>
      key.name === 'bucket' ? { name: 'bucket', of: words.wholeQuarter('entry.created_at') } : key,
    ),
    // Paths of requests that were refused early are the caller's invention, and would fill the table.
    { name: 'endpoint', of: `case when entry.model is null then '' else entry.endpoint end` },
    { name: 'status', of: 'entry.status' },
  ];
  return { ...kept, keys: all, key: all.map(({ name }) => name).join(', ') };
}

export const usageByOutcome: Migration = {
  name: '0118-usage-by-outcome',
  statements: (words) =>
    words.widenSums(usageSumsByOutcome(words), [
      { name: 'endpoint', type: words.id, before: `''` },
      { name: 'status', type: 'integer', before: '0' },
    ]),
};
