// The same sums as a table, for those who want figures or cannot see charts.
import type { UsageKey, UsageRow } from '#contract/usage.ts';
import { type Column, PlainTable } from '../../components/data-table.tsx';
import { formatCount, formatMoneyShort } from '../../lib/format-money.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { groupRows, type Total } from '../../lib/usage-totals.ts';

const MOST = 8;

export function Breakdown({ rows, by, nameOf }: { rows: UsageRow[]; by: UsageKey; nameOf(key: string): string }) {
  const groups = groupRows(rows, by).slice(0, MOST);
  if (groups.length === 0) return null;
  const columns: Column<{ key: string; total: Total }>[] = [
    { header: by[0]?.toUpperCase() + by.slice(1), render: (row) => <span className="cut">{nameOf(row.key)}</span> },
    { header: 'Charged', align: 'right', render: (row) => formatMoneyShort(row.total.amount) },
    { header: 'Requests', align: 'right', render: (row) => formatCount(row.total.requests) },
    { header: 'Failed', align: 'right', wide: true, render: (row) => formatCount(row.total.errors) },
    {
      header: 'Tokens',
      align: 'right',
      wide: true,
      render: (row) => formatCount(row.total.inputTokens + row.total.outputTokens),
    },
    {
      header: 'First byte',
      align: 'right',
      wide: true,
      render: (row) => (row.total.firstByteMs === null ? '—' : formatMilliseconds(row.total.firstByteMs)),
    },
  ];
  return <PlainTable label={`Charged by ${by}`} columns={columns} rows={groups} keyOf={(row) => row.key} />;
}
