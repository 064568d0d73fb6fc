// The word for how a channel fares: by what is seen right now, then by what is remembered of it. Only a channel that was
// answered last is called healthy.
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { Channel } from '#contract/channels.ts';

export interface HealthWord {
  color: 'gray' | 'red' | 'yellow' | 'green';
  text: string;
}

export function healthWord({ status, health }: Channel, live: ChannelHealth | undefined): HealthWord {
  if (status !== 'enabled') return { color: 'gray', text: 'off' };
  if (live?.breaker === 'open') return { color: 'red', text: `open, tries in ${Math.ceil(live.retry_ms / 1000)} s` };
  if (live?.breaker === 'half-open') return { color: 'yellow', text: 'trying again' };
  const keys = live?.keys ?? health.keys;
  const rejected = keys.filter(({ state }) => state === 'rejected').length;
  if (rejected > 0 && rejected === keys.length) return { color: 'red', text: 'no key works' };
  if (health.state === 'down') return { color: 'red', text: 'down' };
  if (health.state === 'failing') return { color: 'red', text: 'failing' };
  if (rejected > 0) return { color: 'yellow', text: `${rejected} key${rejected === 1 ? '' : 's'} rejected` };
  const out = live?.accounts_out ?? 0;
  if (out > 0) return { color: 'yellow', text: `fails for ${out} account${out === 1 ? '' : 's'}` };
  if (health.state === 'healthy') return { color: 'green', text: 'healthy' };
  return { color: 'gray', text: 'not called yet' };
}
