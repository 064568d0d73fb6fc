// The keys of a channel by their hints, with what the upstream thinks of them.
import { Badge, Group, Stack, Text } from '@mantine/core';
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { Channel } from '#contract/channels.ts';

const colors = { ready: 'green', cooling: 'yellow', rejected: 'red' } as const;

export function ChannelKeys({ channel, health }: { channel: Channel; health: ChannelHealth | undefined }) {
  if (channel.keys.length === 0) return <Text size="sm">None: the upstream wants no key</Text>;
  return (
    <Stack gap={4}>
      {channel.keys.map(({ id, hint }) => {
        const state = health?.keys.find((key) => key.id === id)?.state;
        return (
          <Group key={id} gap={8}>
            <span className="mono">{hint}</span>
            {state !== undefined && <Badge color={colors[state]}>{state}</Badge>}
          </Group>
        );
      })}
    </Stack>
  );
}
