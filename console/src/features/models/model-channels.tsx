// The channels that carry a model, in the order in which they are asked.
import { useQuery } from '@tanstack/react-query';
import type { Channel } from '#contract/channels.ts';
import { t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, PlainTable } from '../../components/data-table.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { allChannels } from '../../lib/choices.ts';

export function ModelChannels({ model }: { model: string }) {
  const { data, error, refetch } = useQuery(allChannels);
  const rows = data
    ?.filter(({ models }) => Object.hasOwn(models, model))
    .toSorted((a, b) => b.priority - a.priority || b.weight - a.weight);
  return (
    <Card title={t('Channels')} flush>
      {rows === undefined && error === null && <LoadingRows rows={2} />}
      {rows === undefined && error !== null && <ErrorState error={error} retry={() => void refetch()} />}
      {rows?.length === 0 && (
        <EmptyState icon="channels" title={t('No channel carries it')}>
          {t('Such models are not offered to anybody.')}
        </EmptyState>
      )}
      {rows !== undefined && rows.length > 0 && (
        <PlainTable label={t('Channels of this model')} rows={rows} keyOf={({ id }) => id} columns={columnsOf(model)} />
      )}
    </Card>
  );
}

function columnsOf(model: string): Column<Channel>[] {
  return [
    {
      header: t('Name'),
      render: (row) => (
        <PageLink to="/channels/$id" params={{ id: row.id }} className="cut">
          {row.name}
        </PageLink>
      ),
    },
    { header: t('Name at the upstream'), render: (row) => <span className="mono long">{row.models[model]}</span> },
    { header: t('State'), render: (row) => <StateBadge state={row.status} /> },
    { header: t('Priority'), align: 'right', render: (row) => row.priority },
    { header: t('Weight'), align: 'right', render: (row) => row.weight },
  ];
}
