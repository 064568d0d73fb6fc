// The names of fields as people read them: the API names them in English, with underscores.
import { t } from '../i18n/t.ts';

const words: Readonly<Record<string, string>> = {
  name: t('name //field'),
  email: t('email //field'),
  role: t('role //field'),
  amount: t('amount //field'),
  note: t('note //field'),
  count: t('count //field'),
  hint: t('hint //field'),
  reason: t('reason //field'),
  grace_seconds: t('grace seconds //field'),
  provider: t('provider //field'),
  url: t('url //field'),
  base_url: t('base url //field'),
  quota: t('quota //field'),
  quota_period: t('quota period //field'),
  budget: t('budget //field'),
  budget_period: t('budget period //field'),
  rate: t('rate //field'),
  models: t('models //field'),
  group: t('group //field'),
  status: t('status //field'),
  expires_at: t('expires at //field'),
  password: t('password //field'),
  second_factor: t('second factor //field'),
  priority: t('priority //field'),
  weight: t('weight //field'),
  keys: t('keys //field'),
  headers: t('headers //field'),
  options: t('options //field'),
  price: t('price //field'),
  prices: t('prices //field'),
  enabled: t('enabled //field'),
  cap: t('cap //field'),
  period: t('period //field'),
  ip_allow: t('ip allow //field'),
  origins: t('origins //field'),
  multiplier: t('multiplier //field'),
  description: t('description //field'),
  flag: t('flag //field'),
  rules: t('rules //field'),
  everywhere: t('everywhere //field'),
};

/** A field that is not known is shown as it is, without underscores. */
export function fieldLabel(field: string): string {
  return words[field] ?? field.replaceAll('_', ' ');
}
