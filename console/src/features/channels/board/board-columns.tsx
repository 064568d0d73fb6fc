// The columns of the board: what a channel is, whether it works, its last day, and what it brought in.
import { Group, Stack, Text } from '@mantine/core';
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { BoardChannel } from '#contract/channel-board.ts';
import { StateBadge } from '../../../components/badges.tsx';
import type { Column } from '../../../components/data-table.tsx';
import { ShortMoney } from '../../../components/money.tsx';
import { PageLink } from '../../../components/page-link.tsx';
import { When } from '../../../components/when.tsx';
import { t } from '../../../i18n/t.ts';
import { formatMilliseconds } from '../../../lib/format-time.ts';
import { formatShare } from '../format-share.ts';
import { HealthBadge } from '../health/health-badge.tsx';
import { keyName } from '../health/key-state-label.ts';
import { VendorMark } from '../vendor/vendor-mark.tsx';
import { DayStrip } from './day-strip.tsx';

interface BoardView {
  live: ReadonlyMap<string, ChannelHealth> | undefined;
  labels: ReadonlyMap<string, string>;
  now: number;
  withKeys: boolean;
}

export function boardColumns({ live, labels, now, withKeys }: BoardView): Column<BoardChannel>[] {
  return [
    {
      header: t('Name'),
      render: (row) => (
        <Group gap="sm" wrap="nowrap">
          <VendorMark name={row.name.charAt(0).toUpperCase() + row.name.slice(1)} size={28} />
          <div style={{ minWidth: 0 }}>
            <PageLink to="/channels/$id" params={{ id: row.id }} className="cut">
              {row.name}
            </PageLink>
            <Text size="xs" c="dimmed" className="cut">
              {positionOf(row, labels)}
            </Text>
          </div>
        </Group>
      ),
    },
    {
      header: t('Health'),
      render: (row) => (
        <Stack gap={4} align="flex-start">
          <HealthBadge channel={row} live={live?.get(row.id)} hours={row.hours} now={now} />
          {row.sandbox && <StateBadge state="sandbox" />}
        </Stack>
      ),
    },
    { header: t('24 hours'), render: (row) => <Strips row={row} now={now} withKeys={withKeys} /> },
    { header: t('Answered'), align: 'right', render: (row) => formatShare(row.health.success_rate) },
    {
      header: t('p95'),
      align: 'right',
      wide: true,
      render: (row) => (row.health.p95_ms === null ? '—' : formatMilliseconds(row.health.p95_ms)),
    },
    { header: t('Charged'), align: 'right', render: (row) => <ShortMoney amount={row.charged} /> },
    { header: t('Last error'), wide: true, render: (row) => <LastError error={row.health.last_error} /> },
  ];
}

/** What it is, and where it stands in the order where that was set. */
function positionOf({ provider, priority, weight }: BoardChannel, labels: BoardView['labels']): string {
  const kind = labels.get(provider) ?? provider;
  const order = [
    ...(priority === 0 ? [] : [t('priority {priority}', { priority: String(priority) })]),
    ...(weight === 1 ? [] : [t('weight {weight}', { weight: String(weight) })]),
  ];
  return [...order, kind].join(', ');
}

function Strips({ row, now, withKeys }: { row: BoardChannel; now: number; withKeys: boolean }) {
  return (
    <>
      <DayStrip hours={row.hours} now={now} name={row.name} />
      {withKeys && row.keys.length > 0 && (
        <div className="key-strips">
          {row.keys.map(({ id, hint, status }, index) => {
            const calls = row.key_calls.find((one) => one.id === id);
            const name = keyName(hint, index);
            return (
              <Group key={id} gap={8} wrap="nowrap">
                <DayStrip hours={calls?.hours ?? []} now={now} name={name} width={84} height={12} />
                <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
                  {name}: {status === 'disabled' ? t('disabled') : formatShare(calls?.success_rate ?? null)}
                </Text>
              </Group>
            );
          })}
        </div>
      )}
    </>
  );
}

function LastError({ error }: { error: BoardChannel['health']['last_error'] }) {
  if (error === null) return '—';
  return (
    <Stack gap={0} title={error.message}>
      <Text size="sm" className="cut" maw={150}>
        {error.message}
      </Text>
      <Text size="xs" c="dimmed">
        <When at={error.at} />
      </Text>
    </Stack>
  );
}
