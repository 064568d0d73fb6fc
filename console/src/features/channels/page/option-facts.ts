// What of a channel's options is worth saying on its page.
import type { Channel } from '#contract/channels.ts';
import type { Provider } from '#contract/providers.ts';
import { ownOptions } from '../form/channel-draft.ts';
import { plural, t } from '../../../i18n/t.ts';
import { formatMilliseconds } from '../../../lib/format-time.ts';

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
    ...(rpm === null ? [] : [plural(rpm, '{count} call a minute', '{count} calls a minute')]),
    ...(concurrency === null ? [] : [t('{count} at the same time', { count: concurrency })]),
  ];
  const times = [options.connect_ms, options.first_byte_ms, options.idle_ms, options.total_ms];
  return [
    [t('Limits of each process'), limits.length === 0 ? t('None') : limits.join(', ')],
    [t('Connect, first byte, silence, whole'), times.map(formatMilliseconds).join(', ')],
    ...(provider !== undefined && provider.speaks.length > 0
      ? [[t('Speaks'), (speaks ?? provider.speaks).join(', ')] as [string, string]]
      : []),
    ...(provider?.makes_videos === true
      ? [[t('Copies of videos'), (archive ?? provider.archives) ? t('Kept') : t('Not kept')] as [string, string]]
      : []),
    ...ownOptions(provider).flatMap((name): [string, string][] => {
      const value = options[name as keyof typeof options];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
    ...(options.proxy === null ? [] : [[t('Proxy'), options.proxy] as [string, string]]),
    ...(account === null ? [] : [[t('Only for account'), account] as [string, string]]),
    ...(shares === true ? [[t('What it keeps'), t('Shared by all accounts')] as [string, string]] : []),
    ...(dropped.length === 0 ? [] : [[t('Never sent'), dropped.join(', ')] as [string, string]]),
  ];
}
