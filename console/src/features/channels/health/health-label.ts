// The word for how a channel fares: by what is seen right now, then by what is remembered of it. Only a channel that was
// answered last, and whose recent calls do not fail, is called healthy.
import type { ChannelHealth } from '#contract/channel-health.ts';
import type { Channel } from '#contract/channels.ts';
import { plural, t } from '../../../i18n/t.ts';
import type { RecentCalls } from '../board/day-slots.ts';

export interface HealthWord {
  color: 'gray' | 'red' | 'yellow' | 'green';
  text: string;
}

/** Fewer calls say nothing about a share. */
const ENOUGH_CALLS = 5;
const SOME_FAIL = 0.1;
const MOST_FAIL = 0.5;

export function healthLabel(
  { status, health, keys: owned }: Pick<Channel, 'status' | 'health' | 'keys'>,
  live: ChannelHealth | undefined,
  recent?: RecentCalls,
): HealthWord {
  if (status !== 'enabled') return { color: 'gray', text: t('off') };
  if (owned.length > 0 && owned.every((key) => key.status === 'disabled'))
    return { color: 'red', text: t('all keys are disabled') };
  if (live?.breaker === 'open')
    return { color: 'red', text: t('open, tries in {seconds} s', { seconds: Math.ceil(live.retry_ms / 1000) }) };
  if (live?.breaker === 'half-open') return { color: 'yellow', text: t('trying again') };
  const aside = new Set(owned.filter((key) => key.status === 'disabled').map(({ id }) => id));
  const keys = (live?.keys ?? health.keys).filter(({ id }) => !aside.has(id));
  const rejected = keys.filter(({ state }) => state === 'rejected').length;
  if (rejected > 0 && rejected === keys.length) return { color: 'red', text: t('no key works') };
  if (health.state === 'down') return { color: 'red', text: t('down') };
  if (health.state === 'failing') return { color: 'red', text: t('failing') };
  const failing = shareWord(recent);
  if (failing?.color === 'red') return failing;
  if (rejected > 0) return { color: 'yellow', text: plural(rejected, '{count} key rejected', '{count} keys rejected') };
  if (failing !== undefined) return failing;
  const out = live?.accounts_out ?? 0;
  if (out > 0) return { color: 'yellow', text: plural(out, 'fails for {count} account', 'fails for {count} accounts') };
  if (health.state === 'healthy') return { color: 'green', text: t('healthy') };
  return { color: 'gray', text: t('no answer yet') };
}

/** One answer among failures does not make a channel healthy. */
function shareWord(recent: RecentCalls | undefined): HealthWord | undefined {
  if (recent === undefined || recent.calls < ENOUGH_CALLS) return undefined;
  const share = recent.failed / recent.calls;
  if (share < SOME_FAIL) return undefined;
  return {
    color: share >= MOST_FAIL ? 'red' : 'yellow',
    text: t('{share} % fail', { share: Math.round(100 * share) }),
  };
}
