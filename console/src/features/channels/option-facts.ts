// What of a channel's options is worth saying on its page.
import type { Channel } from '#contract/channels.ts';
import type { Provider } from '#contract/providers.ts';
import { ownOptions } from './channel-draft.ts';
import { formatCount } from '../../lib/format-money.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';

export function optionFacts({ options }: Channel, provider: Provider | undefined): [name: string, value: string][] {
  const {
    rpm,
    concurrency,
    speaks,
    archive,
    drop_fields: dropped,
    account_id: account,
    shared_objects: shares,
  } = options;
  const limits = [
    ...(rpm === null ? [] : [`${formatCount(rpm)} calls a minute`]),
    ...(concurrency === null ? [] : [`${formatCount(concurrency)} at the same time`]),
  ];
  const times = [options.connect_ms, options.first_byte_ms, options.idle_ms, options.total_ms];
  return [
    ['Limits of each process', limits.length === 0 ? 'None' : limits.join(', ')],
    ['Connect, first byte, silence, whole', times.map(formatMilliseconds).join(', ')],
    ...(provider !== undefined && provider.speaks.length > 0
      ? [['Speaks', (speaks ?? provider.speaks).join(', ')] as [string, string]]
      : []),
    ...(provider?.makes_videos === true
      ? [['Copies of videos', (archive ?? provider.archives) ? 'Kept' : 'Not kept'] as [string, string]]
      : []),
    ...ownOptions(provider).flatMap((name): [string, string][] => {
      const value = options[name as keyof typeof options];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
    ...(options.proxy === null ? [] : [['Proxy', options.proxy] as [string, string]]),
    ...(account === null ? [] : [['Only for account', account] as [string, string]]),
    ...(shares === true ? [['What it keeps', 'Shared by all accounts'] as [string, string]] : []),
    ...(dropped.length === 0 ? [] : [['Never sent', dropped.join(', ')] as [string, string]]),
  ];
}
