// How a channel fares right now.
import { Badge } from '@mantine/core';
import type { ChannelHealth } from '#contract/channel-health.ts';

export function HealthBadge({ health, enabled }: { health: ChannelHealth | undefined; enabled: boolean }) {
  if (!enabled)
    return (
      <Badge miw="max-content" color="gray">
        off
      </Badge>
    );
  if (health === undefined)
    return (
      <Badge miw="max-content" color="gray">
        unknown
      </Badge>
    );
  const failing = health.keys.filter(({ state }) => state === 'rejected').length;
  if (health.breaker === 'open')
    return (
      <Badge miw="max-content" color="red">
        open, tries in {Math.ceil(health.retry_ms / 1000)} s
      </Badge>
    );
  if (health.breaker === 'half-open')
    return (
      <Badge miw="max-content" color="yellow">
        trying again
      </Badge>
    );
  if (failing > 0)
    return (
      <Badge miw="max-content" color="yellow">
        {failing} key{failing === 1 ? '' : 's'} rejected
      </Badge>
    );
  return (
    <Badge miw="max-content" color="green">
      healthy
    </Badge>
  );
}
