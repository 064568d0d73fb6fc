// What was used and charged, over any time, by any name, down to the requests behind each bar.
import './usage.css';
import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { UsageRow } from '#contract/usage.ts';
import { Card } from '../../components/card.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, ErrorState } from '../../components/states.tsx';
import { t } from '../../i18n/t.ts';
import { useMinute } from '../../lib/use-minute.ts';
import { outagesQuery, rankedQuery, sumsQuery } from './api.ts';
import { columnsOf } from './columns.ts';
import { DownloadMenu } from './download-menu.tsx';
import { Legend } from './legend.tsx';
import { periodOf } from './periods.ts';
import { narrowed, requestSearch } from './request-search.ts';
import { MOST_SERIES } from './series-colors.ts';
import { StackedBars } from './stacked-bars.tsx';
import { measureWords, UsageControls } from './usage-controls.tsx';
import { nameOfKey } from './usage-names.ts';
import { type UsageSearch, viewOf } from './usage-search.ts';
import { headerOf, UsageTable } from './usage-table.tsx';
import { UsageTiles } from './usage-tiles.tsx';
import { usageLabels } from './usage-labels.ts';

const route = getRouteApi('/usage');

export function UsageScreen() {
  const search: UsageSearch = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<UsageSearch>) =>
    void navigate({ search: { ...search, ...part }, replace: true, resetScroll: false });
  const now = useMinute();
  const { preset, by, measure, compared, zone, filters } = viewOf(search);
  const period = periodOf({ preset, first: search.first, last: search.last }, zone, now);
  const { from, to, bucket, before: earlier } = period;
  const whole = { from, to, bucket: 'all' } as const;

  const totals = useQuery(sumsQuery({ from, to, bucket, zone }, filters));
  const sum = useQuery(sumsQuery(whole, filters));
  const ranked = useInfiniteQuery(rankedQuery({ from, to, by, rank: measure }, filters));
  const rows = ranked.data?.pages.flatMap((page) => page.data) ?? [];
  const keys = rows.slice(0, MOST_SERIES).map((row) => row[by] ?? '');
  const series = useQuery(sumsQuery({ from, to, bucket, zone, by, only: keys }, filters, keys.length > 0));
  const sumBefore = useQuery(sumsQuery({ ...earlier, bucket: 'all' }, filters, compared));
  const shown = rows.map((row) => row[by] ?? '').slice(0, 100);
  const rowsBefore = useQuery(
    sumsQuery({ ...earlier, bucket: 'all', by, only: shown }, filters, compared && shown.length > 0),
  );
  const outages = useQuery(outagesQuery({ from, to }));

  const error = totals.error ?? sum.error ?? ranked.error;
  const currency = sum.data?.currency ?? '';
  const words = usageLabels(period, { measure, currency });
  const total = sum.data?.data[0];
  const ready = totals.data !== undefined && sum.data !== undefined && ranked.data !== undefined;
  const nameOf = (row: UsageRow) => nameOfKey(by, row[by] ?? '', row.name);
  const names = new Map(rows.map((row) => [row[by] ?? '', nameOf(row)]));
  const columns = columnsOf({
    period,
    measure,
    by,
    totals: totals.data?.data ?? [],
    rows: keys.length === 0 ? [] : (series.data?.data ?? []),
    keys,
    outages: outages.data ?? [],
    now,
  });
  return (
    <Page
      title={t('Usage')}
      description={t('What was used and charged. Every bar and every row leads to its requests.')}
      actions={<DownloadMenu {...{ period, by, filters, currency, zone }} />}
    >
      <UsageControls {...{ search, period, preset, by, measure, compared, now, change }} />
      {error !== null && (
        <ErrorState error={error} retry={() => void Promise.all([totals.refetch(), ranked.refetch()])} />
      )}
      <UsageTiles total={total} before={sumBefore.data?.data[0]} compared={compared} ready={ready} words={words} />
      <Card
        title={t('{measure} by {name}', { measure: measureWords(measure), name: headerOf(by) })}
        description={t('{from} to {to}, {zone}', { from: words.moment(from), to: words.moment(to), zone })}
      >
        {!ready && <Skeleton height={300} radius="md" role="status" aria-label={t('Loading')} />}
        {ready && (
          <Stack gap="sm">
            <StackedBars
              columns={columns}
              measure={measure}
              keys={keys}
              nameOf={(key) => names.get(key) ?? key}
              words={words}
              searchOf={(column, key) => requestSearch(filters, { from: column.start, to: column.end }, { by, key })}
            />
            <Legend columns={columns} outages={outages.data ?? []} words={words} />
          </Stack>
        )}
      </Card>
      <Card title={t('By {name}', { name: headerOf(by) })} flush>
        {ready && rows.length === 0 ? (
          <EmptyState icon="chart" title={t('No requests in this period')}>
            {t('Choose a longer period or fewer filters.')}
          </EmptyState>
        ) : (
          <UsageTable
            rows={rows}
            {...{ by, measure, currency, keys, nameOf, words, total }}
            before={compared ? new Map(rowsBefore.data?.data.map((row) => [row[by] ?? '', row])) : undefined}
            searchOf={(key) => requestSearch(filters, { from, to }, { by, key })}
            sortBy={(chosen) => change({ measure: chosen })}
            narrow={(key) => change(narrowed({}, by, key))}
            more={ranked.hasNextPage ? () => void ranked.fetchNextPage() : undefined}
            loadingMore={ranked.isFetchingNextPage}
          />
        )}
      </Card>
      <Group>
        <Text size="xs" c="dimmed">
          {t('Amounts are charges as they were settled. Refunds are credits: they are in the ledger.')}
        </Text>
      </Group>
    </Page>
  );
}
