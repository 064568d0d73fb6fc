// What of a channel's options is worth saying on its page.
import type { Channel } from '#contract/channels.ts';
import { formatCount } from '../../lib/format-money.ts';
import { formatMilliseconds } from '../../lib/format-time.ts';
import { makesVideos } from './providers.ts';

export function optionFacts({ options, provider }: Channel): [name: string, value: string][] {
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
    ...(provider === 'openai'
      ? [['Speaks', speaks?.join(', ') ?? 'chat, responses, completions'] as [string, string]]
      : []),
    ...(makesVideos(provider)
      ? [['Copies of videos', archive === true ? 'Kept' : 'Not kept'] as [string, string]]
      : []),
    ...(account === null ? [] : [['Only for account', account] as [string, string]]),
    ...(shares === true ? [['What it keeps', 'Shared by all accounts'] as [string, string]] : []),
    ...(dropped.length === 0 ? [] : [['Never sent', dropped.join(', ')] as [string, string]]),
  ];
}
