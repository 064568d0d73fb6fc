// The same sums as a table, for those who want figures or cannot see charts.
import type { UsageRow } from '#contract/usage.ts';
import { t } from '../../i18n/t.ts';
import { type Column, PlainTable } from '../../components/data-table.tsx';
import { formatCount, formatMoneyShort } from '../../lib/format-money.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { groupRows, type Total } from '../../lib/usage-totals.ts';

import { keyLabels, type OverviewKey } from './key-labels.ts';

const MOST = 8;

export function Breakdown({ rows, by, nameOf }: { rows: UsageRow[]; by: OverviewKey; nameOf(key: string): string }) {
  const groups = groupRows(rows, by).slice(0, MOST);
  if (groups.length === 0) return null;
  const columns: Column<{ key: string; total: Total }>[] = [
    { header: keyLabels[by], render: (row) => <span className="cut">{nameOf(row.key)}</span> },
    { header: t('Charged'), align: 'right', render: (row) => formatMoneyShort(row.total.amount) },
    { header: t('Requests //count'), align: 'right', render: (row) => formatCount(row.total.requests) },
    { header: t('Failed //count'), align: 'right', wide: true, render: (row) => formatCount(row.total.errors) },
    {
      header: t('Tokens //counted'),
      align: 'right',
      wide: true,
      render: (row) => formatCount(row.total.inputTokens + row.total.outputTokens),
    },
    {
      header: t('First byte'),
      align: 'right',
      wide: true,
      render: (row) => (row.total.firstByteMs === null ? '—' : formatMilliseconds(row.total.firstByteMs)),
    },
  ];
  return (
    <PlainTable
      label={t('Charged by {key}', { key: keyLabels[by] })}
      columns={columns}
      rows={groups}
      keyOf={(row) => row.key}
    />
  );
}
