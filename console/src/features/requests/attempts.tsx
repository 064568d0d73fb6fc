// The channels that were asked, in order, with the time each took.
import { Box, Text } from '@mantine/core';
import type { LoggedRequest } from '#contract/requests.ts';
import { HttpBadge } from '../../components/badges.tsx';
import { Card } from '../../components/card.tsx';
import { type Column, PlainTable } from '../../components/data-table.tsx';
import { PageLink } from '../../components/page-link.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useChannelNames } from '../../lib/choices.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';

type Attempt = LoggedRequest['attempts'][number] & { attempt: number };

/** What each class of failure means for the one who reads. */
const meanings: Record<string, string> = {
  refused: 'The upstream refused the content of the request',
  unauthorised: "The upstream rejected the channel's key",
  limited: 'The upstream asked to slow down',
  overloaded: 'The upstream failed on its side',
  'timed-out': 'The upstream took too long',
  unreachable: 'No connection to the upstream',
  malformed: 'The upstream answered something unreadable',
};

export function Attempts({ request }: { request: LoggedRequest }) {
  const channels = useChannelNames();
  const attempts = request.attempts.map((attempt, index): Attempt => ({ ...attempt, attempt: index + 1 }));
  const longest = Math.max(...attempts.map(({ ms }) => ms), 1);
  const columns: Column<Attempt>[] = [
    { header: '#', render: (row) => row.attempt },
    {
      header: 'Channel',
      render: (row) =>
        row.channel_id === null ? (
          '—'
        ) : (
          <PageLink to="/channels/$id" params={{ id: row.channel_id }} className="cut">
            {channels.get(row.channel_id) ?? row.channel_id}
          </PageLink>
        ),
    },
    { header: 'Status', render: (row) => (row.status === null ? '—' : <HttpBadge status={row.status} />) },
    {
      header: 'Why it ended',
      render: (row) =>
        row.error === null ? (
          'Answered'
        ) : (
          <>
            <Text size="sm">{meanings[row.error] ?? row.error}</Text>
            <Text size="xs" c="dimmed" className="mono long">
              {row.error}
            </Text>
          </>
        ),
    },
    {
      header: 'Time',
      wide: true,
      render: (row) => (
        <Box className="bar-track" miw={120} aria-hidden>
          <Box
            h="100%"
            w={`${Math.max(2, (row.ms / longest) * 100)}%`}
            bg={row.error === null ? 'iris' : 'red'}
            style={{ borderRadius: 5 }}
          />
        </Box>
      ),
    },
    { header: 'Took', align: 'right', render: (row) => formatMilliseconds(row.ms) },
  ];
  return (
    <Card title="Route taken" description="Every channel that was asked, in order" flush>
      {attempts.length === 0 ? (
        <EmptyState icon="channels" title="No channel was asked">
          The request ended before it was sent to an upstream.
        </EmptyState>
      ) : (
        <PlainTable label="Attempts" columns={columns} rows={attempts} keyOf={(row) => String(row.attempt)} />
      )}
    </Card>
  );
}
