// The log of a sink: what was sent, how often it was tried, and what went wrong.
import { Stack, Text } from '@mantine/core';
import { type AlertDelivery, alertDeliveryList, type AlertSink } from '#contract/alerts.ts';
import { rich } from '../../i18n/rich.ts';
import { known, t } from '../../i18n/t.ts';
import { StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { usePages } from '../../lib/lists.ts';
import { stateLabel } from '../../lib/state-label.ts';

const columns: Column<AlertDelivery>[] = [
  { header: t('When'), render: (row) => <When at={row.created_at} /> },
  { header: t('Event'), render: (row) => stateLabel(row.event) },
  { header: t('Alert'), wide: true, render: (row) => <span className="cut">{known(row.title)}</span> },
  { header: t('State'), render: (row) => <StateBadge state={row.status} /> },
  {
    header: t('Attempts'),
    render: (row) => (
      <Stack gap={0} maw={300}>
        <span className="numeric">{row.attempts.length}</span>
        {row.last_error !== null && (
          <Text size="xs" c="dimmed" className="long">
            {row.last_error}
          </Text>
        )}
        {row.next_attempt_at !== null && row.attempts.length > 0 && (
          <Text size="xs" c="dimmed">
            {rich('next {time}', { time: <When at={row.next_attempt_at} /> })}
          </Text>
        )}
      </Stack>
    ),
  },
];

export function SinkDeliveries({ sink }: { sink: AlertSink }) {
  const path = `/alerts/sinks/${sink.id}/deliveries`;
  const pages = usePages({ path, schema: alertDeliveryList, refreshEvery: 5_000, pageSize: 20 });
  return (
    <ListTable
      label={t('Deliveries of {name}', { name: sink.name })}
      pages={pages}
      keyOf={(row) => row.id}
      columns={columns}
      empty={<EmptyState icon="send" title={t('Nothing was sent yet')} />}
    />
  );
}
