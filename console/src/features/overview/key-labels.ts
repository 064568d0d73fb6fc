// What usage can be added up by, in words.
import { z } from 'zod';
import { t } from '../../i18n/t.ts';

/** Of all that there is, what the overview offers; the usage page has the rest. */
export const overviewKey = z.enum(['model', 'channel', 'account', 'token', 'group']);
export type OverviewKey = z.infer<typeof overviewKey>;

export const keyLabels: Readonly<Record<OverviewKey, string>> = {
  model: t('Model'),
  channel: t('Channel'),
  account: t('Account'),
  token: t('Token'),
  group: t('Group'),
};

/** Of usage that none can be named for. */
export const withoutWords: Readonly<Record<OverviewKey, string>> = {
  model: t('unknown model'),
  channel: t('no channel'),
  account: t('no account'),
  token: t('no token'),
  group: t('no group'),
};
