// States, roles and kinds as people read them: the gateway names them by short English words.
import { t } from '../i18n/t.ts';

const words: Record<string, string> = {
  active: t('active'),
  enabled: t('enabled'),
  disabled: t('disabled'),
  closed: t('closed'),
  live: t('live'),
  test: t('test'),
  open: t('open //state'),
  'half-open': t('half-open'),
  admin: t('admin'),
  owner: t('owner'),
  member: t('member'),
  viewer: t('viewer'),
  metrics: t('metrics'),
  invited: t('invited'),
  redeemed: t('redeemed'),
  expired: t('expired'),
  credit: t('credit'),
  charge: t('charge //kind of entry'),
  settle: t('settle'),
  hold: t('hold'),
  release: t('release'),
  delivered: t('delivered'),
  pending: t('pending'),
  failed: t('failed'),
  opened: t('opened'),
  resolved: t('resolved'),
  critical: t('critical'),
  warning: t('warning'),
  off: t('off'),
  removed: t('removed'),
  // Of video tasks.
  SUBMITTED: t('Submitted'),
  QUEUED: t('Queued'),
  IN_PROGRESS: t('Generating'),
  SUCCESS: t('Succeeded'),
  FAILURE: t('Failed'),
};

/** A word that is not known is shown as it is. */
export function stateLabel(state: string): string {
  return words[state] ?? state;
}
