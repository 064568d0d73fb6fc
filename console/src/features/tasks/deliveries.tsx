// What was sent to webhooks about a task, and how they answered.
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Delivery } from '#contract/tasks.ts';
import { t } from '../../i18n/t.ts';
import { HttpBadge, StateBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, PlainTable } from '../../components/data-table.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../components/states.tsx';
import { When } from '../../components/when.tsx';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { deliveriesQuery } from './api.ts';

const columns: Column<Delivery>[] = [
  { header: t('Address'), render: (row) => <span className="cut">{row.url}</span> },
  { header: t('State'), render: (row) => <StateBadge state={row.status} /> },
  { header: t('Tries'), align: 'right', render: (row) => row.attempts.length },
  { header: t('Last answer'), render: (row) => <LastAnswer delivery={row} /> },
  {
    header: t('Next try'),
    wide: true,
    render: (row) => (row.next_attempt_at === null ? '—' : <When at={row.next_attempt_at} exact />),
  },
  { header: t('Started'), wide: true, render: (row) => <When at={row.created_at} exact /> },
];

export function Deliveries({ taskId }: { taskId: string }) {
  const { data, error, refetch } = useQuery(deliveriesQuery(taskId));
  return (
    <Card
      title={t('Webhook deliveries')}
      description={t('A signed event is sent when the task ends, and sent again until the receiver accepts it')}
      flush
    >
      {error !== null && <ErrorState error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <LoadingRows rows={2} />}
      {data?.length === 0 && (
        <EmptyState icon="send" title={t('No webhook was called')}>
          {t('Either the task is not finished, or its account and its submit named no webhook.')}
        </EmptyState>
      )}
      {data !== undefined && data.length > 0 && (
        <PlainTable label={t('Webhook deliveries')} columns={columns} rows={data} keyOf={(row) => row.id} />
      )}
    </Card>
  );
}

function LastAnswer({ delivery }: { delivery: Delivery }) {
  const last = delivery.attempts.at(-1);
  if (last === undefined) return '—';
  return (
    <>
      {last.status === null ? null : <HttpBadge status={last.status} />}{' '}
      <Text size="xs" c="dimmed" component="span" className="long">
        {last.error ?? formatMilliseconds(last.ms)}
      </Text>
    </>
  );
}
