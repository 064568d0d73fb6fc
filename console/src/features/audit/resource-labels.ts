// Kinds of things that operators change, as the audit log names them, and as people do.
import { t } from '../../i18n/t.ts';

export const resourceLabels: Readonly<Record<string, string>> = {
  account: t('Account'),
  alert_rule: t('Alert rule'),
  alert_sink: t('Alert sink'),
  channel: t('Channel'),
  code: t('Redeemable code'),
  config_file: t('Configuration file'),
  flag: t('Flag'),
  group: t('Group'),
  member: t('Member'),
  model: t('Model'),
  operator: t('Operator'),
  operator_key: t('Operator key'),
  price: t('Price'),
  request: t('Request'),
  session: t('Session'),
  token: t('Token'),
  webhook: t('Webhook'),
};
