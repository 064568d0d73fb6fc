// Usage by day, model or token, as a chart and a table, and as a file.
import { Button, Group, SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { PortalUsageRow } from '#contract/portal.ts';
import { t } from '../../i18n/t.ts';
import { Amount } from '../../components/amount.tsx';
import { Card } from '../../components/card.tsx';
import { PlainTable } from '../../components/data-table.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, Shown } from '../../components/states.tsx';
import { apiUrl } from '../../lib/addresses.ts';
import { writeQuery } from '../../lib/api-client.ts';
import { formatCount } from '../../lib/format-money.ts';
import { useMinute } from '../../lib/use-minute.ts';
import { useCurrency, useTokenNames } from '../account.ts';
import { SpendByDay } from './spend-chart.tsx';
import { usageQuery } from './usage-query.ts';
import { addUp, DAY, dayLabel, daysOf, groupRows, monthStart, type Total, type UsageQuery } from './usage.ts';

const RANGES = [
  { value: '7', label: t('7 days') },
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
  { value: 'month', label: t('This month') },
];
const KEYS = [
  { value: 'day', label: t('By day') },
  { value: 'model', label: t('By model') },
  { value: 'token', label: t('By token') },
];

export function UsageScreen() {
  const { range = '30', by: asked } = useSearch({ strict: false });
  const navigate = useNavigate();
  const currency = useCurrency();
  const today = Math.floor(useMinute() / DAY) * DAY;
  const by = asked === 'model' || asked === 'token' ? asked : undefined;
  const days = RANGES.some(({ value }) => value === range) ? Number(range) : 30;
  const from = range === 'month' ? monthStart(today) : today - (days - 1) * DAY;
  const query: UsageQuery = { from, to: today + DAY, ...(by !== undefined && { by }) };
  const go = (search: object) => void navigate({ to: '.', search: search as never, replace: true });
  return (
    <Page
      title={t('Usage')}
      description={t('What the tokens of the account used. Days are those of UTC; today is still running.')}
      actions={
        <Button
          component="a"
          variant="default"
          href={`${apiUrl}/usage${writeQuery({ ...query, format: 'csv' })}`}
          download="usage.csv"
          leftSection={<Icon name="ledger" size={16} />}
        >
          {t('Download CSV')}
        </Button>
      }
    >
      <Group gap="sm">
        <SegmentedControl
          aria-label={t('Range')}
          data={RANGES}
          value={range}
          onChange={(value) => go({ range: value, ...(by !== undefined && { by }) })}
        />
        <SegmentedControl
          aria-label={t('Group')}
          data={KEYS}
          value={by ?? 'day'}
          onChange={(value) => go({ range, ...(value !== 'day' && { by: value }) })}
        />
      </Group>
      <Shown query={useQuery(usageQuery(query))}>
        {(rows) => <Usage rows={rows} query={query} currency={currency} />}
      </Shown>
    </Page>
  );
}

interface UsageProps {
  rows: PortalUsageRow[];
  query: UsageQuery;
  currency: string;
}

function Usage({ rows, query, currency }: UsageProps) {
  const tokens = useTokenNames();
  const { by } = query;
  const nameOf = (key: string) => tokens.get(key) ?? (key === '' ? t('no known model') : key);
  if (rows.length === 0) {
    return (
      <Card title={t('Spend by day')}>
        <EmptyState icon="chart" title={t('Nothing was used in this range')} />
      </Card>
    );
  }
  const lines: { key: string; total: Total }[] =
    by === undefined
      ? daysOf(rows, query)
          .filter(({ total }) => total.requests > 0)
          .map(({ day, total }) => ({ key: String(day), total }))
          .toReversed()
      : groupRows(rows, by);
  const linkOf = (key: string) => {
    if (by === undefined) return { from: key, to: String(Number(key) + DAY) };
    return by === 'token' ? { token_id: key } : { model: key };
  };
  const all = addUp(rows);
  return (
    <>
      <Card title={t('Spend by day')} description={currency}>
        <SpendByDay rows={rows} query={query} nameOf={nameOf} />
      </Card>
      <Card title={t('Figures')} description={t('Each row leads to its requests.')} flush>
        <PlainTable
          label={t('Usage')}
          rows={[...lines, { key: 'all', total: all }]}
          keyOf={({ key }) => key}
          columns={[
            {
              header: by === undefined ? t('Day') : by === 'model' ? t('Model') : t('Token'),
              render: ({ key }) =>
                key === 'all' ? (
                  <b>{t('Together')}</b>
                ) : key === '' ? (
                  nameOf(key)
                ) : (
                  <PageLink to="/requests" search={linkOf(key)} className="cut">
                    {by === undefined ? dayLabel(Number(key)) : nameOf(key)}
                  </PageLink>
                ),
            },
            { header: t('Requests //count'), align: 'right', render: ({ total }) => formatCount(total.requests) },
            {
              header: t('Failed //count'),
              align: 'right',
              wide: true,
              render: ({ total }) => formatCount(total.errors),
            },
            {
              header: t('Tokens //counted'),
              align: 'right',
              wide: true,
              render: ({ total }) => formatCount(total.tokens),
            },
            {
              header: t('Spend'),
              align: 'right',
              render: ({ total }) => <Amount amount={total.amount} currency={currency} />,
            },
          ]}
        />
      </Card>
    </>
  );
}
