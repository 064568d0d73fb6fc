// Why an operator's sign-in through the issuer came to nothing, in words that say what to do.
import type { MemberSignInFailure, SignInFailure } from '#contract/oidc.ts';
import { t } from '../../i18n/t.ts';

/** Reasons of members have no words here. */
export const failureMessages: Readonly<Record<SignInFailure, string> & Partial<Record<MemberSignInFailure, string>>> = {
  cancelled: t('The sign-in was cancelled there. Try again, or use your password.'),
  refused: t('Your sign-in service refused. Tell the operator of this gateway: its log says why.'),
  expired: t('That took too long, or was begun in another window. Please sign in again.'),
  unreachable: t('Your sign-in service cannot be reached. Try again in a moment, or use your password.'),
  invalid: t(
    'The answer of your sign-in service could not be trusted. Tell the operator of this gateway: its log says why.',
  ),
  no_email: t('Your sign-in service does not tell your e-mail address. Tell the operator of this gateway.'),
  unverified_email: t(
    'Your e-mail address is not verified. Verify it with your sign-in service, then sign in again here.',
  ),
  unknown_person: t(
    'The account you used has no access to this console. Use another account, or ask the operator of this gateway to name your e-mail address in its settings.',
  ),
  disabled: t('Your access to this console is disabled. Ask an admin to enable you.'),
  throttled: t('Too many sign-ins have failed. Wait a quarter of an hour, then try again.'),
  failed: t('The sign-in did not work. Try again, or tell the operator of this gateway: its log says why.'),
};
