// How the gateway fares: figures and charts over a chosen range, and what needs attention.
import { Box, Grid, SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import { t } from '../../i18n/t.ts';
import { Card } from '../../components/card.tsx';
import { PageButton } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { useAccountNames, useChannelNames, useTokenNames } from '../../lib/choices.ts';
import type { Names } from '../../lib/names.ts';
import { addUp } from '../../lib/usage-totals.ts';
import { timesQuery, usageQuery } from '../../lib/usage.ts';
import { useMinute } from '../../lib/use-minute.ts';
import { AttentionCard } from './attention-card.tsx';
import { keyLabels, type OverviewKey, overviewKey, withoutWords } from './key-labels.ts';
import { rangeOf, ranges } from './ranges.ts';
import { spendingPoints, trafficPoints } from './series.ts';
import { Tiles } from './tiles.tsx';

const TrafficChart = lazy(async () => ({ default: (await import('./charts.tsx')).TrafficChart }));
const SpendingChart = lazy(async () => ({ default: (await import('./charts.tsx')).SpendingChart }));
const TimesChart = lazy(async () => ({ default: (await import('./charts.tsx')).TimesChart }));
const TokensChart = lazy(async () => ({ default: (await import('./charts.tsx')).TokensChart }));
const Breakdown = lazy(async () => ({ default: (await import('./breakdown.tsx')).Breakdown }));

const route = getRouteApi('/');

export function OverviewScreen() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const range = rangeOf(search.range);
  const by = overviewKey.catch('model').parse(search.by);
  const now = useMinute();
  const { data, error, refetch } = useQuery({
    ...usageQuery({ from: now - range.seconds, to: now + 3600, bucket: range.bucket, by, filter: { mode: 'live' } }),
    refetchInterval: 30_000,
  });
  const { data: times } = useQuery({ ...timesQuery(now, 'live'), refetchInterval: 30_000 });
  const nameOf = useNames();
  const points = trafficPoints(data ?? [], range, now);
  const quiet = data !== undefined && data.length === 0;
  return (
    <Page
      title={t('Overview')}
      description={t('Live traffic; calls with test tokens are left out.')}
      actions={
        <SegmentedControl
          aria-label={t('Range')}
          value={range.id}
          onChange={(id) => void navigate({ search: { ...search, range: id }, replace: true })}
          data={ranges.map(({ id, label }) => ({ value: id, label }))}
        />
      }
    >
      {error !== null && <ErrorState error={error} retry={() => void refetch()} />}
      <Tiles total={data === undefined ? undefined : addUp(data)} times={times} isOfDay={range.id === '24h'} />
      {quiet && (
        <Card title={t('No requests in this range')}>
          <EmptyState
            icon="start"
            title={t('The gateway is waiting for its first request')}
            action={<PageButton to="/start">{t('First steps')}</PageButton>}
          >
            {t('The first steps take you from a channel to an answered request.')}
          </EmptyState>
        </Card>
      )}
      <Grid>
        <Grid.Col span={{ base: 12, lg: 8 }}>
          <Card title={t('Requests //count')}>
            <Chart ready={data !== undefined}>
              <TrafficChart points={points} />
            </Chart>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 4 }}>
          <AttentionCard />
        </Grid.Col>
        <Grid.Col span={12}>
          <Card
            title={t('Charged')}
            actions={
              <SegmentedControl
                size="xs"
                aria-label={t('Charged by')}
                value={by}
                onChange={(key) => void navigate({ search: { ...search, by: key }, replace: true })}
                data={overviewKey.options.map((key) => ({ value: key, label: keyLabels[key] }))}
              />
            }
          >
            <Chart ready={data !== undefined}>
              <SpendingChart
                spending={spendingPoints(data ?? [], { by, range, now })}
                nameOf={(key) => nameOf(by, key)}
              />
            </Chart>
            <Box mt="md">
              {data !== undefined && (
                <Suspense>
                  <Breakdown rows={data} by={by} nameOf={(key) => nameOf(by, key)} />
                </Suspense>
              )}
            </Box>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Card title={t('Answer times')} description={t('Means')}>
            <Chart ready={data !== undefined}>
              <TimesChart points={points} />
            </Chart>
          </Card>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Card title={t('Tokens //counted')}>
            <Chart ready={data !== undefined}>
              <TokensChart points={points} />
            </Chart>
          </Card>
        </Grid.Col>
      </Grid>
    </Page>
  );
}

/** Holds the place of a chart, so that nothing jumps when it comes. */
function Chart({ ready, children }: { ready: boolean; children: ReactNode }) {
  const waiting = <Skeleton height={220} radius="md" role="status" aria-label={t('Loading')} />;
  return <Box mih={220}>{ready ? <Suspense fallback={waiting}>{children}</Suspense> : waiting}</Box>;
}

function useNames(): (by: OverviewKey, key: string) => string {
  const names: Record<string, Names> = {
    account: useAccountNames(),
    token: useTokenNames(),
    channel: useChannelNames(),
  };
  return (by, key) => (key === '' ? withoutWords[by] : (names[by]?.get(key) ?? key));
}
