// What openid-client throws, as the failure of a sign-in. Its messages are fixed sentences; the objects behind them hold
// tokens and are left out, so that no log gets them.
import type { SignInFailure } from '#contract/oidc.ts';
import { OidcFailure } from '../oidc-failure.ts';

/** A failure of our own anywhere in the chain (the issuer cannot be reached) counts before the library's words for it. */
export function failureOf(error: unknown, reason: SignInFailure, what: string): OidcFailure {
  const words: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof OidcFailure) return one;
    words.push(`${one.message}${claimOf(one.cause)}`);
  }
  return new OidcFailure(reason, `${what}: ${[...new Set(words)].join(': ') || String(error)}`);
}

/** The name of the claim or parameter at fault. */
function claimOf(cause: unknown): string {
  const { claim, attribute } = (cause ?? {}) as { claim?: unknown; attribute?: unknown };
  const name = claim ?? attribute;
  return typeof name === 'string' ? ` ("${name}")` : '';
}
