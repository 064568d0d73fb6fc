// What the APIs of the gateway refuse, by the code of the error, in the language of the person: their own sentences are English.
import { language } from '../i18n/language.ts';
import { known, t } from '../i18n/t.ts';

const help: Readonly<Record<string, string>> = {
  invalid_request: t('The request is not valid.'),
  invalid_api_key: t('The key or the password is not valid.'),
  second_factor_required: t('A code of the second factor is needed.'),
  token_disabled: t('The token is disabled.'),
  token_expired: t('The token has expired.'),
  insufficient_quota: t('The balance or the quota does not cover this.'),
  ip_not_allowed: t('The token may not be used from this address.'),
  origin_not_allowed: t('The token may not be used by this page.'),
  model_not_allowed: t('The token may not use this model.'),
  group_not_allowed: t('The group of the token is not set up.'),
  account_disabled: t('The account is disabled.'),
  forbidden: t('You may not do that.'),
  password_change_required: t('Change the password that you were given first.'),
  csrf_token_invalid: t('The session has changed. Load the page again.'),
  not_found: t('It is not there, or not there any more.'),
  model_not_found: t('The model does not exist, or is not offered.'),
  task_not_found: t('The task does not exist.'),
  conflict: t('It conflicts with what exists already.'),
  precondition_failed: t('It was changed meanwhile. Load it again, then make your change.'),
  task_not_finished: t('The task has no video yet.'),
  video_expired: t('The video is not kept any more.'),
  body_too_large: t('What was sent is too large.'),
  rate_limit_exceeded: t('Too many requests. Wait a moment, then try again.'),
  upstream_rate_limited: t('The providers of the model are rate limited. Try again in a moment.'),
  upstream_rejected: t('The provider of the model refused the request.'),
  internal_error: t('Something went wrong inside of the gateway.'),
  upstream_error: t('The provider of the model did not answer properly.'),
  no_channel_available: t('No provider of the model is available now.'),
  list_too_slow: t('The list takes too long to read. Add a filter, or choose a shorter range of time.'),
  overloaded: t('The gateway is busy. Try again in a moment.'),
  upstream_timeout: t('The provider of the model took too long.'),
};

/** The sentence of the gateway where it is known in the language; else what the code means, with the sentence as it came. */
export function explainError(message: string, code: string | null): string {
  const translated = known(message);
  const meaning = code === null ? undefined : help[code];
  if (language === 'en' || translated !== message || meaning === undefined) return translated;
  return t('{meaning} ({message})', { meaning, message });
}
