// The keys of a channel by their hints, with what the upstream thinks of them.
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { Channel } from '#contract/channels.ts';
import { When } from '../../components/when.tsx';

const colors = { ready: 'green', cooling: 'yellow', suspected: 'yellow', rejected: 'red' } as const;

export function ChannelKeys({ channel, live }: { channel: Channel; live: ChannelHealth | undefined }) {
  if (channel.keys.length === 0) return <Text size="sm">None: the upstream wants no key</Text>;
  return (
    <Stack gap={4}>
      {channel.keys.map(({ id, hint }) => {
        const known = channel.health.keys.find((key) => key.id === id);
        const { state, reason } = live?.keys.find((key) => key.id === id) ??
          known ?? { state: undefined, reason: null };
        return (
          <div key={id}>
            <Group gap={8}>
              <span className="mono">{hint}</span>
              {state !== undefined && <Badge color={colors[state]}>{state}</Badge>}
              {state === 'rejected' && typeof known?.since === 'number' && <When at={known.since} />}
            </Group>
            {reason !== null && (
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {reason}
              </Text>
            )}
          </div>
        );
      })}
    </Stack>
  );
}
