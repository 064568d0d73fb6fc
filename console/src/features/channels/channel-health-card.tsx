// What is remembered of a channel: its calls of the last day, its last error and its last test.
import { Stack, Text } from '@mantine/core';
import type { Channel } from '#contract/channels.ts';
import { Card } from '../../components/card.tsx';
import { Facts } from '../../components/facts.tsx';
import { When } from '../../components/when.tsx';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { formatShare } from './format-share.ts';

export function ChannelHealthCard({ health }: { health: Channel['health'] }) {
  const { last_error: error, last_test: test } = health;
  return (
    <Card title="Last 24 hours">
      <Facts
        facts={[
          ['Answered', `${formatShare(health.success_rate)} of ${health.calls} calls`],
          ['95 of 100 within', health.p95_ms === null ? 'not known' : formatMilliseconds(health.p95_ms)],
          ['Last answer', health.last_success_at === null ? 'none' : <When key="answer" at={health.last_success_at} />],
          [
            'Last error',
            error === null ? (
              'none'
            ) : (
              <LastEvent key="error" at={error.at} head={error.class} message={error.message} />
            ),
          ],
          [
            'Last test',
            test === null ? (
              'none'
            ) : (
              <LastEvent
                key="test"
                at={test.at}
                head={`${test.ok ? 'works' : 'does not work'}, ${test.model}, ${formatMilliseconds(test.latency_ms)}`}
              />
            ),
          ],
        ]}
      />
    </Card>
  );
}

function LastEvent({ at, head, message = '' }: { at: number; head: string; message?: string }) {
  return (
    <Stack gap={2}>
      <span>
        {head}, <When at={at} />
      </span>
      {message !== '' && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
      )}
    </Stack>
  );
}
