// What a key of usage is called.
import type { UsageKey } from '#contract/usage.ts';
import { t } from '../../i18n/t.ts';

export function nameOfKey(by: UsageKey, key: string, name: string | null | undefined): string {
  if (by === 'status' && key === '0') return t('not recorded');
  if (key !== '') return name ?? key;
  const none: Partial<Record<UsageKey, string>> = {
    model: t('unknown model'),
    channel: t('no channel'),
    provider: t('no channel, or one that is gone'),
    account: t('no known token'),
    token: t('no known token'),
    group: t('no group'),
    endpoint: t('no known model, or not recorded'),
  };
  return none[by] ?? '—';
}
