// The charts of the overview, loaded apart from the page because their library is large.
import '@mantine/charts/styles.css';
import { BarChart, LineChart } from '@mantine/charts';
import { t } from '../../i18n/t.ts';
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
        { name: 'succeeded', label: t('Succeeded'), color: 'iris.5' },
        { name: 'failed', label: t('Failed'), color: 'red.6' },
      ]}
      valueFormatter={formatCount}
      withLegend
      {...counts}
    />
  );
}

export function SpendingChart({ spending, nameOf }: { spending: Spending; nameOf(key: string): string }) {
  return (
    <BarChart
      h={HEIGHT}
      data={spending.points}
      dataKey="label"
      type="stacked"
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
  // Nothing is drawn where nobody called. A line needs two points; one between such times is seen only as a dot.
  const isLone = ['firstByte', 'wholeAnswer'].some((name) => {
    const known = points.map((point) => typeof point[name] === 'number');
    return known.some((here, index) => here && known[index - 1] !== true && known[index + 1] !== true);
  });
  return (
    <LineChart
      h={HEIGHT}
      data={points}
      dataKey="label"
      curveType="linear"
      connectNulls={false}
      withDots={isLone}
      series={[
        { name: 'firstByte', label: t('First byte'), color: 'cyan.6' },
        { name: 'wholeAnswer', label: t('Whole answer'), color: 'iris.5' },
      ]}
      valueFormatter={formatMilliseconds}
      withLegend
      {...axes}
    />
  );
}

export function TokensChart({ points }: { points: Point[] }) {
  return (
    <BarChart
      h={HEIGHT}
      data={points}
      dataKey="label"
      type="stacked"
      series={[
        { name: 'input', label: t('Input'), color: 'teal.6' },
        { name: 'output', label: t('Output'), color: 'yellow.6' },
      ]}
      valueFormatter={formatCount}
      withLegend
      {...counts}
    />
  );
}
