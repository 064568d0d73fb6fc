// What a member looks at first: balance, what was spent this month, limits, and spend by day.
import { Grid, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { PortalAccount } from '#contract/portal.ts';
import { rich } from '../../i18n/rich.ts';
import { plural, t } from '../../i18n/t.ts';
import { Card } from '../../components/card.tsx';
import { ShortMoney } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, ErrorState, LoadingRows, Notice, Shown } from '../../components/states.tsx';
import { useMinute } from '../../lib/use-minute.ts';
import { accountQuery } from '../account.ts';
import { useMayChange } from '../session.ts';
import { RedeemCard } from './redeem-card.tsx';
import { SpendByDay } from './spend-chart.tsx';
import { Tile } from './tile.tsx';
import { usageQuery } from './usage-query.ts';
import { addUp, DAY, groupRows, monthStart } from './usage.ts';
import { resetsEvery } from '../../lib/period-labels.ts';

const MOST_MODELS = 6;
/** Not a page of the console, whose pages are the ones that links are checked against. */
const USAGE: string = '/usage';

export function OverviewScreen() {
  return <Shown query={useQuery(accountQuery)}>{(account) => <Overview account={account} />}</Shown>;
}

function Overview({ account }: { account: PortalAccount }) {
  const mayChange = useMayChange();
  const today = Math.floor(useMinute() / DAY) * DAY;
  const lastDays = { from: today - 29 * DAY, to: today + DAY };
  const month = { from: monthStart(today), to: today + DAY, by: 'model' } as const;
  const days = useQuery(usageQuery(lastDays));
  const models = useQuery(usageQuery(month));
  const spent = addUp(models.data ?? []);
  const { currency } = account;
  return (
    <Page title={account.name} description={t('Your account at a glance. Days and months are those of UTC.')}>
      {Number(account.balance) <= 0 && (
        <Notice color="yellow">
          {t('The balance is used up: calls that cost money are refused until it is topped up.')}
        </Notice>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        <Tile label={t('Balance')} value={<ShortMoney amount={account.balance} />} note={currency} />
        <Tile
          label={t('Spent this month')}
          value={models.data === undefined ? '…' : <ShortMoney amount={spent.amount} />}
          note={`${currency}, ${plural(spent.requests, '{count} request', '{count} requests')}`}
        />
        <Limit
          label={t('Budget of the account')}
          limit={account.budget}
          used={account.budget_used}
          period={account.budget_period}
          none={t('As much as the balance')}
        />
        <Limit
          label={t('Your cap')}
          limit={account.cap?.amount ?? null}
          used={account.cap?.used ?? '0'}
          period={account.cap?.period ?? null}
          none={t('No limit on your tokens together')}
        />
      </SimpleGrid>
      <Card
        title={t('Spend by day')}
        description={t('Last 30 days, {currency}', { currency })}
        actions={<PageLink to={USAGE}>{t('All usage')}</PageLink>}
      >
        {days.error !== null ? (
          <ErrorState error={days.error} retry={() => void days.refetch()} />
        ) : days.data === undefined ? (
          <LoadingRows />
        ) : days.data.length === 0 ? (
          <EmptyState icon="chart" title={t('Nothing was used yet')}>
            {t('Make a token and call a model: usage is shown here at once.')}
          </EmptyState>
        ) : (
          <SpendByDay rows={days.data} query={lastDays} />
        )}
      </Card>
      <Grid>
        <Grid.Col span={{ base: 12, md: mayChange ? 7 : 12 }}>
          <Card title={t('Models this month')}>
            <ModelsOfMonth groups={groupRows(models.data ?? [], 'model')} />
          </Card>
        </Grid.Col>
        {mayChange && (
          <Grid.Col span={{ base: 12, md: 5 }}>
            <RedeemCard currency={currency} />
          </Grid.Col>
        )}
      </Grid>
    </Page>
  );
}

interface LimitProps {
  label: string;
  limit: string | null;
  used: string;
  period: string | null;
  none: string;
}

function Limit({ label, limit, used, period, none }: LimitProps) {
  if (limit === null) return <Tile label={label} value={t('None')} note={none} />;
  const share = Number(limit) === 0 ? 100 : Math.min(100, (Number(used) / Number(limit)) * 100);
  return (
    <Tile
      label={label}
      value={<ShortMoney amount={limit} />}
      note={
        <Stack gap={4}>
          <span>
            {rich('{amount} spent', { amount: <ShortMoney amount={used} /> })}
            {period !== null && `, ${resetsEvery(period)}`}
          </span>
          <Progress
            size="sm"
            value={share}
            color={share > 90 ? 'red' : 'iris'}
            aria-label={t('Share of it spent: {label}', { label })}
          />
        </Stack>
      }
    />
  );
}

function ModelsOfMonth({ groups }: { groups: ReturnType<typeof groupRows> }) {
  if (groups.length === 0) return <EmptyState icon="models" title={t('No model was used this month')} />;
  const most = Math.max(...groups.map(({ total }) => Number(total.amount)), Number.MIN_VALUE);
  return (
    <Stack gap="sm">
      {groups.slice(0, MOST_MODELS).map(({ key, total }) => (
        <div key={key}>
          <Group justify="space-between" gap="xs" wrap="nowrap" mb={2}>
            <Text size="sm" className="cut">
              {key === '' ? t('no known model') : key}
            </Text>
            <Text size="sm" className="numeric">
              <ShortMoney amount={total.amount} />
            </Text>
          </Group>
          <Progress
            size="sm"
            value={(Number(total.amount) / most) * 100}
            aria-label={t('{name}: share of the largest', { name: key === '' ? t('no known model') : key })}
          />
        </div>
      ))}
    </Stack>
  );
}
