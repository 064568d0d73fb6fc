// The request log: what was asked, how it went, what it cost.
import { Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { type LoggedRequest, requestList } from '#contract/requests.ts';
import { HttpBadge, StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { useAccountNames, useChannelNames, useTokenNames } from '../../lib/choices.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { usePages } from '../../lib/lists.ts';

const route = getRouteApi('/requests');

export function RequestsScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const accounts = useAccountNames();
  const tokens = useTokenNames();
  const channels = useChannelNames();
  const pages = usePages({ path: '/requests', schema: requestList, filters, refreshEvery: 10_000 });
  return (
    <Page
      title="Requests"
      description="Newest first: what was asked for, where it went and what it cost. Prompts and answers are stored only for tokens that are set so."
    >
      <ListTable
        label="Requests"
        pages={pages}
        keyOf={(row) => row.id}
        columns={columnsWith(tokens)}
        empty={
          <EmptyState icon="requests" title="No requests">
            Nothing fits these filters yet.
          </EmptyState>
        }
        tools={
          <FilterBar
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              { kind: 'choice', name: 'failed', label: 'Outcome', choices: [['true', 'failed only']] },
              { kind: 'text', name: 'status', label: 'Status', placeholder: '502' },
              { kind: 'text', name: 'error_code', label: 'Error code', placeholder: 'upstream_error' },
              { kind: 'text', name: 'model', label: 'Model' },
              { kind: 'choice', name: 'channel_id', label: 'Channel', choices: [...channels] },
              { kind: 'choice', name: 'account_id', label: 'Account', choices: [...accounts] },
              { kind: 'choice', name: 'token_id', label: 'Token', choices: [...tokens] },
              { kind: 'time', name: 'from', label: 'From' },
              { kind: 'time', name: 'to', label: 'To' },
            ]}
          />
        }
      />
    </Page>
  );
}

function columnsWith(tokens: ReadonlyMap<string, string>): Column<LoggedRequest>[] {
  return [
    {
      header: 'When',
      render: (row) => (
        <PageLink to="/requests/$id" params={{ id: row.id }}>
          <When at={row.created_at} exact />
        </PageLink>
      ),
    },
    {
      header: 'Status',
      render: (row) => (
        <>
          <HttpBadge status={row.status} /> {row.mode === 'test' && <StateBadge state="test" />}
        </>
      ),
    },
    {
      header: 'Model',
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
      header: 'Token',
      wide: true,
      render: (row) => <span className="cut">{nameOf(row.token_id, tokens)}</span>,
    },
    { header: 'Tries', align: 'right', wide: true, render: (row) => row.attempts.length },
    {
      header: 'First byte',
      align: 'right',
      wide: true,
      render: (row) => (row.first_byte_ms === null ? '—' : formatMilliseconds(row.first_byte_ms)),
    },
    { header: 'Total', align: 'right', wide: true, render: (row) => formatMilliseconds(row.total_ms) },
    { header: 'Charge', align: 'right', render: (row) => <Money amount={row.charge} /> },
  ];
}

function nameOf(tokenId: string | null, tokens: ReadonlyMap<string, string>): string {
  return tokenId === null ? '—' : (tokens.get(tokenId) ?? tokenId);
}
