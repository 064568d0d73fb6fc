// The log of a sink: what was sent, how often it was tried, and what went wrong.
import { Stack, Text } from '@mantine/core';
import { type AlertDelivery, alertDeliveryList, type AlertSink } from '#contract/alerts.ts';
import { StateBadge } from '../../components/badges.tsx';
import { type Column, ListTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { usePages } from '../../lib/lists.ts';

const columns: Column<AlertDelivery>[] = [
  { header: 'When', render: (row) => <When at={row.created_at} /> },
  { header: 'Event', render: (row) => row.event },
  { header: 'Alert', wide: true, render: (row) => <span className="cut">{row.title}</span> },
  { header: 'State', render: (row) => <StateBadge state={row.status} /> },
  {
    header: 'Attempts',
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
            next <When at={row.next_attempt_at} />
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
      label={`Deliveries of ${sink.name}`}
      pages={pages}
      keyOf={(row) => row.id}
      columns={columns}
      empty={<EmptyState icon="send" title="Nothing was sent yet" />}
    />
  );
}
