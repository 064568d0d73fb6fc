// How a channel fares, in a word.
import { Badge } from '@mantine/core';
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { Channel } from '#contract/channels.ts';
import { healthWord } from './health-word.ts';

/** `live`: as the process that answers sees it right now. */
export function HealthBadge({ channel, live }: { channel: Channel; live: ChannelHealth | undefined }) {
  const { color, text } = healthWord(channel, live);
  return (
    <Badge miw="max-content" color={color}>
      {text}
    </Badge>
  );
}
