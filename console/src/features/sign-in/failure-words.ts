// Why a sign-in through the issuer came to nothing, in words that say what to do. The gateway puts the reason into the
// address; it is taken out again, so that a reload or a bookmark does not repeat it.
import { SIGN_IN_FAILURE_PARAMETER, type SignInFailure, signInFailure } from '#contract/oidc.ts';

export const failureWords: Readonly<Record<SignInFailure, string>> = {
  cancelled: 'The sign-in was cancelled there. Try again, or use your password.',
  refused: 'Your sign-in service refused. Tell the operator of this gateway: its log says why.',
  expired: 'That took too long, or was begun in another window. Please sign in again.',
  unreachable: 'Your sign-in service cannot be reached. Try again in a moment, or use your password.',
  invalid:
    'The answer of your sign-in service could not be trusted. Tell the operator of this gateway: its log says why.',
  no_email: 'Your sign-in service does not tell your e-mail address. Tell the operator of this gateway.',
  unverified_email:
    'Your e-mail address is not verified. Verify it with your sign-in service, then sign in again here.',
  unknown_person:
    'The account you used has no access to this console. Use another account, or ask the operator of this gateway to name your e-mail address in its settings.',
  disabled: 'Your access to this console is disabled. Ask an admin to enable you.',
  throttled: 'Too many sign-ins have failed. Wait a quarter of an hour, then try again.',
  failed: 'The sign-in did not work. Try again, or tell the operator of this gateway: its log says why.',
};

function takeFailure(): SignInFailure | undefined {
  const address = new URL(window.location.href);
  const given = address.searchParams.get(SIGN_IN_FAILURE_PARAMETER);
  if (given === null) return undefined;
  address.searchParams.delete(SIGN_IN_FAILURE_PARAMETER);
  window.history.replaceState(window.history.state, '', address);
  return signInFailure.safeParse(given).data;
}

/** Of the try that led to this page. */
export const failure = takeFailure();
