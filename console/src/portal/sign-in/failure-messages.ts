// Why a member's sign-in through the issuer came to nothing, in words that say what to do.
import type { MemberSignInFailure } from '#contract/oidc.ts';
import { t } from '../../i18n/t.ts';

const failed = t('The sign-in did not work. Try again, or use your password.');

export const failureMessages: Readonly<Record<MemberSignInFailure, string>> = {
  cancelled: t('The sign-in was cancelled there. Try again, or use your password.'),
  refused: failed,
  expired: t('That took too long, or was begun in another window. Please sign in again.'),
  unreachable: t('Your sign-in service cannot be reached. Try again in a moment, or use your password.'),
  invalid: failed,
  no_email: t('Your sign-in service does not report your e-mail address. Use your password.'),
  unverified_email: t(
    'Your e-mail address is not verified. Verify it with your sign-in service, then sign in again here.',
  ),
  unknown_person: t(
    'Nobody with your e-mail address is a member here. Use another account there, or ask the person who runs your account for an invite.',
  ),
  disabled: t('Your access is disabled. Ask the person who runs your account.'),
  throttled: t('Too many sign-ins have failed. Wait a quarter of an hour, then try again.'),
  failed,
  other_identity: t(
    'Your e-mail address is bound to another account of your sign-in service. Use that one, or ask the person who runs your account for a new invite.',
  ),
  invite_expired: t('Your invite has expired. Ask the person who runs your account for a new one.'),
};
