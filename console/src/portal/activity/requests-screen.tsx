// What was asked with the tokens of the account, newest first.
import { Button, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type PortalRequest, portalRequestList } from '#contract/portal.ts';
import { t } from '../../i18n/t.ts';
import { HttpBadge, StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Icon } from '../../components/icon.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { apiUrl } from '../../lib/addresses.ts';
import { writeQuery } from '../../lib/api-client.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { usePages } from '../../lib/lists.ts';
import { useCurrency, useTokenNames } from '../account.ts';

export function RequestsScreen() {
  const { token_id, model, failed, from, to } = useSearch({ strict: false });
  const filters = { token_id, model, failed, from, to };
  const navigate = useNavigate();
  const tokens = useTokenNames();
  const currency = useCurrency();
  const pages = usePages({ path: '/requests', schema: portalRequestList, filters });
  return (
    <Page
      title={t('Requests')}
      description={t('Every call with a token of the account. Times are in your time zone.')}
      actions={
        <Button
          component="a"
          variant="default"
          href={`${apiUrl}/requests${writeQuery({ ...filters, format: 'csv' })}`}
          download="requests.csv"
          leftSection={<Icon name="ledger" size={16} />}
        >
          {t('Download CSV')}
        </Button>
      }
    >
      <ListTable
        label={t('Requests')}
        pages={pages}
        keyOf={(row) => row.id}
        columns={columnsWith(tokens, currency)}
        empty={
          <EmptyState icon="requests" title={t('No requests here')}>
            {t('Calls with a token of the account are listed here a moment after they end.')}
          </EmptyState>
        }
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ to: '/requests', search, replace: true })}
            filters={[
              { kind: 'choice', name: 'token_id', label: t('Token'), choices: [...tokens] },
              { kind: 'text', name: 'model', label: t('Model'), placeholder: t('Its whole name') },
              {
                kind: 'choice',
                name: 'failed',
                label: t('Outcome'),
                choices: [['true', t('Failed only')]],
              },
              { kind: 'time', name: 'from', label: t('From') },
              { kind: 'time', name: 'to', label: t('To') },
            ]}
          />
        }
      />
    </Page>
  );
}

function columnsWith(tokens: ReadonlyMap<string, string>, currency: string): Column<PortalRequest>[] {
  return [
    {
      header: t('When'),
      render: (row) => (
        <PageLink to="/requests/$id" params={{ id: row.id }}>
          <When at={row.created_at} exact />
          <Text size="xs" c="dimmed" hiddenFrom="sm" component="span" display="block">
            <Money amount={row.charge} /> {currency}
          </Text>
        </PageLink>
      ),
    },
    {
      header: t('Status'),
      render: (row) => (
        <>
          <HttpBadge status={row.status} /> {row.mode === 'test' && <StateBadge state="test" />}
        </>
      ),
    },
    {
      header: t('Model'),
      render: (row) => (
        <>
          <span className="cut">{row.model ?? '—'}</span>
          <Text size="xs" c="dimmed" className="cut">
            {row.error_code ?? row.endpoint}
          </Text>
        </>
      ),
    },
    {
      header: t('Token'),
      wide: true,
      render: (row) => <span className="cut">{tokens.get(row.token_id) ?? row.token_id}</span>,
    },
    { header: t('Time'), align: 'right', wide: true, render: (row) => formatMilliseconds(row.total_ms) },
    {
      header: t('Charge, {currency}', { currency }),
      align: 'right',
      wide: true,
      render: (row) => <Money amount={row.charge} />,
    },
  ];
}
