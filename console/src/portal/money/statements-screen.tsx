// The statement of a month: what came in, what was charged and for what; to print, or as a file.
import { Button, Grid, Group, Select } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Statement, statement } from '#contract/statement.ts';
import { t } from '../../i18n/t.ts';
import { Card } from '../../components/card.tsx';
import { PlainTable } from '../../components/data-table.tsx';
import { Facts } from '../../components/facts.tsx';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/money.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState, Shown } from '../../components/states.tsx';
import { apiUrl } from '../../lib/addresses.ts';
import { callApi, writeQuery } from '../../lib/api-client.ts';
import { formatCount } from '../../lib/format-money.ts';
import { useMinute } from '../../lib/use-minute.ts';
import { lastMonths, monthName } from './months.ts';

const statementQuery = (month: string) =>
  queryOptions({
    queryKey: ['/statement', month],
    queryFn: ({ signal }) => callApi('GET', '/statement', { schema: statement, query: { month }, signal }),
  });

export function StatementsScreen() {
  const months = lastMonths(useMinute());
  const search: Record<string, unknown> = useSearch({ strict: false });
  const month = typeof search['month'] === 'string' ? search['month'] : (months[0] ?? '');
  const navigate = useNavigate();
  const fileOf = (format: 'html' | 'csv') => `${apiUrl}/statement${writeQuery({ month, format })}`;
  return (
    <Page
      title={t('Statements')}
      description={t('Money in and out by month, from the ledger. Months are those of UTC.')}
      actions={
        <>
          <Button
            component="a"
            variant="default"
            href={fileOf('html')}
            target="_blank"
            rel="noreferrer"
            leftSection={<Icon name="external" size={16} />}
          >
            {t('Open to print')}
          </Button>
          <Button component="a" variant="default" href={fileOf('csv')} leftSection={<Icon name="ledger" size={16} />}>
            {t('Download CSV')}
          </Button>
        </>
      }
    >
      <Group>
        <Select
          label={t('Month')}
          allowDeselect={false}
          data={(months.includes(month) ? months : [month, ...months]).map((value) => ({
            value,
            label: /^\d{4}-\d{2}$/.test(value) ? monthName(value) : value,
          }))}
          value={month}
          onChange={(value) => void navigate({ to: '.', search: { month: value } as never, replace: true })}
        />
      </Group>
      <Shown query={useQuery(statementQuery(month))}>{(made) => <Made made={made} />}</Shown>
    </Page>
  );
}

function Made({ made }: { made: Statement }) {
  const { currency } = made;
  const amount = (text: string) => (
    <>
      <Money amount={text} /> {currency}
    </>
  );
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <Card title={monthName(made.month)}>
          <Facts
            facts={[
              [t('Opening balance'), amount(made.opening_balance)],
              [t('Credits'), amount(made.credits)],
              [t('Charges'), amount(made.charges)],
              [t('Closing balance'), <b key="closing">{amount(made.closing_balance)}</b>],
            ]}
          />
        </Card>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 7 }}>
        <Card title={t('Charges by model')} flush>
          {made.models.length === 0 ? (
            <EmptyState icon="ledger" title={t('Nothing was charged in this month')} />
          ) : (
            <PlainTable
              label={t('Charges by model')}
              rows={made.models}
              keyOf={(row) => row.model ?? ''}
              columns={[
                {
                  header: t('Model'),
                  render: (row) => <span className="cut">{row.model ?? t('not split by model')}</span>,
                },
                { header: t('Requests //count'), align: 'right', render: (row) => formatCount(row.requests) },
                {
                  header: t('Charges, {currency}', { currency }),
                  align: 'right',
                  render: (row) => <Money amount={row.charges} />,
                },
              ]}
            />
          )}
        </Card>
      </Grid.Col>
      {made.days.length > 0 && (
        <Grid.Col span={12}>
          <Card title={t('Days on which money moved')} flush>
            <PlainTable
              label={t('Days')}
              rows={made.days}
              keyOf={(row) => row.date}
              columns={[
                { header: t('Day'), render: (row) => <span className="numeric">{row.date}</span> },
                { header: t('Requests //count'), align: 'right', render: (row) => formatCount(row.requests) },
                {
                  header: t('Credits, {currency}', { currency }),
                  align: 'right',
                  render: (row) => <Money amount={row.credits} />,
                },
                {
                  header: t('Charges, {currency}', { currency }),
                  align: 'right',
                  render: (row) => <Money amount={row.charges} />,
                },
              ]}
            />
          </Card>
        </Grid.Col>
      )}
    </Grid>
  );
}
