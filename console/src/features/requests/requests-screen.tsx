// The request log: what was asked, how it went, what it cost.
import { Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type LoggedRequest, requestList } from '#contract/requests.ts';
import { HttpBadge, StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { type Filter, FilterBar } from '../../components/filter-bar.tsx';
import { Money } from '../../components/money.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { Page } from '../../components/page.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { t } from '../../i18n/t.ts';
import { allModels, useTokenNames } from '../../lib/choices.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { usePages } from '../../lib/lists.ts';
import type { Names } from '../../lib/names.ts';

/** Between two looks at the log; a page that nobody sees does not look. */
const LIVE_MS = 2_000;
const IDLE_MS = 10_000;

type Further = 'provider' | 'endpoint' | 'group' | 'mode' | 'lacks';

const route = getRouteApi('/requests');
type Values = ReturnType<typeof route.useSearch>;

export function RequestsScreen() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const tokens = useTokenNames();
  const { data: models = [] } = useQuery(allModels);
  const [isLive, setLive] = useState(false);
  const refreshEvery = isLive ? LIVE_MS : IDLE_MS;
  const pages = usePages({ path: '/requests', schema: requestList, filters, refreshEvery });
  return (
    <Page
      title={t('Requests')}
      description={t(
        'Newest first: what was asked for, where it went and what it cost. Prompts and answers are stored only for tokens that are set so.',
      )}
      actions={
        <Switch
          label={t('Live tail')}
          checked={isLive}
          disabled={pages.page > 1}
          onChange={(event) => setLive(event.currentTarget.checked)}
        />
      }
    >
      <ListTable
        label={t('Requests')}
        pages={pages}
        keyOf={(row) => row.id}
        showsNew={isLive}
        columns={columnsWith(tokens)}
        empty={
          <EmptyState icon="requests" title={t('No requests')}>
            {t('Nothing matches these filters yet.')}
          </EmptyState>
        }
        tools={
          <FilterBar
            views="requests"
            values={filters}
            onChange={(search) => void navigate({ search, replace: true })}
            filters={[
              { kind: 'choice', name: 'failed', label: t('Outcome'), choices: outcomes() },
              {
                kind: 'text',
                name: 'status',
                label: t('Status'),
                placeholder: t('e.g. {example}', { example: '502' }),
              },
              { kind: 'exact', name: 'error_code', label: t('Error code') },
              { kind: 'exact', name: 'model', label: t('Model'), choices: models.map(({ id }) => id) },
              { kind: 'subject', name: 'channel_id', label: t('Channel'), of: 'channel' },
              { kind: 'subject', name: 'account_id', label: t('Account'), of: 'account' },
              { kind: 'subject', name: 'token_id', label: t('Token'), of: 'token' },
              ...furtherFilters(filters),
              { kind: 'time', name: 'from', label: t('From') },
              { kind: 'time', name: 'to', label: t('To') },
            ]}
          />
        }
      />
    </Page>
  );
}

function outcomes(): [string, string][] {
  return [
    ['true', t('failed only')],
    ['false', t('answered only')],
  ];
}

/** Those that come with a link from the usage page; shown while they are set. */
function furtherFilters(values: Values): Filter<keyof Values & string>[] {
  const labels: Record<Further, string> = {
    provider: t('Provider'),
    endpoint: t('Endpoint'),
    group: t('Group'),
    mode: t('Mode'),
    lacks: t('Without'),
  };
  return (Object.keys(labels) as Further[])
    .filter((name) => values[name] !== undefined)
    .map((name) => ({ kind: 'choice' as const, name, label: labels[name], choices: [] }));
}

function columnsWith(tokens: Names): Column<LoggedRequest>[] {
  return [
    {
      header: t('When'),
      render: (row) => (
        <PageLink to="/requests/$id" params={{ id: row.id }}>
          <When at={row.created_at} exact />
        </PageLink>
      ),
    },
    {
      header: t('Status'),
      render: (row) => (
        <>
          <HttpBadge status={row.status} isFailed={row.task_status === 'FAILURE'} />{' '}
          {row.mode === 'test' && <StateBadge state="test" />}
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
      render: (row) => <span className="cut">{nameOf(row.token_id, tokens)}</span>,
    },
    { header: t('Tries'), align: 'right', wide: true, render: (row) => row.attempts.length },
    {
      header: t('First byte'),
      align: 'right',
      wide: true,
      render: (row) => (row.first_byte_ms === null ? '—' : formatMilliseconds(row.first_byte_ms)),
    },
    { header: t('Total'), align: 'right', wide: true, render: (row) => formatMilliseconds(row.total_ms) },
    { header: t('Charge'), align: 'right', render: (row) => <Money amount={row.charge} /> },
  ];
}

function nameOf(tokenId: string | null, tokens: Names): string {
  return tokenId === null ? '—' : (tokens.get(tokenId) ?? tokenId);
}
