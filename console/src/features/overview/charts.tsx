// The charts of the overview, loaded apart from the page because their library is large.
import '@mantine/charts/styles.css';
import { AreaChart, BarChart, LineChart } from '@mantine/charts';
import { formatCount, formatMoneyShort } from '../../lib/format-money.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import type { Point, Spending } from './series.ts';

const HEIGHT = 220;
const palette = ['iris.5', 'cyan.6', 'teal.6', 'yellow.6', 'pink.5', 'gray.6'];
const axes = { yAxisProps: { width: 62 }, xAxisProps: { minTickGap: 24 }, strokeDasharray: '3 3' } as const;
/** Nothing is counted in halves. */
const counts = { ...axes, yAxisProps: { ...axes.yAxisProps, allowDecimals: false } } as const;

export function TrafficChart({ points }: { points: Point[] }) {
  return (
    <BarChart
      h={HEIGHT}
      data={points}
      dataKey="label"
      type="stacked"
      series={[
        { name: 'Succeeded', color: 'iris.5' },
        { name: 'Failed', color: 'red.6' },
      ]}
      valueFormatter={formatCount}
      withLegend
      {...counts}
    />
  );
}

export function SpendingChart({ spending, nameOf }: { spending: Spending; nameOf(key: string): string }) {
  return (
    <AreaChart
      h={HEIGHT}
      data={spending.points}
      dataKey="label"
      type="stacked"
      curveType="monotone"
      withDots={false}
      series={spending.series.map(({ name, key }, index) => ({
        name,
        label: nameOf(key),
        color: palette[index] ?? 'gray.6',
      }))}
      valueFormatter={formatMoneyShort}
      withLegend
      {...axes}
    />
  );
}

export function TimesChart({ points }: { points: Point[] }) {
  // A line needs two points; a single one is seen only as a dot.
  const isLone = ['First byte', 'Whole answer'].some(
    (name) => points.filter((point) => typeof point[name] === 'number').length === 1,
  );
  return (
    <LineChart
      h={HEIGHT}
      data={points}
      dataKey="label"
      curveType="monotone"
      connectNulls
      withDots={isLone}
      series={[
        { name: 'First byte', color: 'cyan.6' },
        { name: 'Whole answer', color: 'iris.5' },
      ]}
      valueFormatter={formatMilliseconds}
      withLegend
      {...axes}
    />
  );
}

export function TokensChart({ points }: { points: Point[] }) {
  return (
    <AreaChart
      h={HEIGHT}
      data={points}
      dataKey="label"
      type="stacked"
      curveType="monotone"
      withDots={false}
      series={[
        { name: 'Input', color: 'teal.6' },
        { name: 'Output', color: 'yellow.6' },
      ]}
      valueFormatter={formatCount}
      withLegend
      {...counts}
    />
  );
}
