// Why the sign-in through the issuer that led to this page came to nothing. The gateway puts the reason into the address; it is
// taken out again, so that a reload or a bookmark does not repeat it.
import { type MemberSignInFailure, memberSignInFailure, SIGN_IN_FAILURE_PARAMETER } from '#contract/oidc.ts';

function takeFailure(): MemberSignInFailure | undefined {
  const address = new URL(window.location.href);
  const given = address.searchParams.get(SIGN_IN_FAILURE_PARAMETER);
  if (given === null) return undefined;
  address.searchParams.delete(SIGN_IN_FAILURE_PARAMETER);
  window.history.replaceState(window.history.state, '', address);
  return memberSignInFailure.safeParse(given).data;
}

export const signInFailure = takeFailure();
