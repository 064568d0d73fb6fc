// How a channel fares, in a word.
import { Badge } from '@mantine/core';
import type { BoardHour } from '#contract/channel-board.ts';
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { Channel } from '#contract/channels.ts';
import { recentCalls } from '../board/day-slots.ts';
import { healthLabel } from './health-label.ts';

interface HealthBadgeProps {
  channel: Channel;
  /** As the process that answers sees it right now. */
  live: ChannelHealth | undefined;
  /** Of its last day. */
  hours?: readonly BoardHour[] | undefined;
  now: number;
}

export function HealthBadge({ channel, live, hours, now }: HealthBadgeProps) {
  const recent = hours === undefined ? undefined : recentCalls(hours, now);
  const { color, text } = healthLabel(channel, live, recent);
  return (
    <Badge miw="max-content" color={color}>
      {text}
    </Badge>
  );
}
