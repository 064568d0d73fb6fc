// The charts of the portal, loaded apart from its pages because their library is large.
import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { PortalUsageRow } from '#contract/portal.ts';
import { t } from '../../i18n/t.ts';
import { formatMoneyShort } from '../../lib/format-money.ts';
import { dayLabel, daysOf, groupRows, type UsageQuery } from './usage.ts';

const HEIGHT = 240;
const palette = ['iris.6', 'cyan.6', 'teal.6', 'yellow.6', 'pink.5'];
const axes = {
  yAxisProps: { width: 62 },
  xAxisProps: { minTickGap: 24 },
  strokeDasharray: '3 3',
  valueFormatter: formatMoneyShort,
} as const;

interface ChartProps {
  rows: PortalUsageRow[];
  query: UsageQuery;
  /** Name of a model or token. */
  nameOf?(key: string): string;
}

export function SpendChart({ rows, query, nameOf = String }: ChartProps) {
  const { by } = query;
  if (by === undefined) {
    const data = daysOf(rows, query).map(({ day, total }) => ({ label: dayLabel(day), spend: Number(total.amount) }));
    return (
      <BarChart
        h={HEIGHT}
        data={data}
        dataKey="label"
        series={[{ name: 'spend', label: t('Spend'), color: 'iris.6' }]}
        {...axes}
      />
    );
  }
  const largest = groupRows(rows, by)
    .slice(0, palette.length)
    .map(({ key }, index) => ({ key, name: `s${index}` }));
  const hasRest = rows.some((row) => largest.every(({ key }) => key !== (row[by] ?? '')));
  const data = daysOf(rows, query).map(({ day }) => {
    const point: Record<string, string | number> = { label: dayLabel(day) };
    for (const row of rows.filter(({ bucket }) => bucket === day)) {
      const name = largest.find(({ key }) => key === (row[by] ?? ''))?.name ?? 'rest';
      point[name] = Number(point[name] ?? 0) + Number(row.amount);
    }
    return point;
  });
  const series = largest.map(({ key, name }, index) => ({
    name,
    label: nameOf(key),
    color: palette[index] ?? 'gray.6',
  }));
  const rest = { name: 'rest', label: t('All others'), color: 'gray.6' };
  return (
    <BarChart
      h={HEIGHT}
      data={data}
      dataKey="label"
      type="stacked"
      series={hasRest ? [...series, rest] : series}
      withLegend
      {...axes}
    />
  );
}
