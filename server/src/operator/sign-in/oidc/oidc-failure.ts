// Why a sign-in through the issuer came to nothing: one word for the person, a sentence for the log.
import type { MemberSignInFailure } from '#contract/oidc.ts';

export class OidcFailure extends Error {
  override name = 'OidcFailure';
  readonly reason: MemberSignInFailure;

  /** The sentence holds no secrets and is not shown to the person who signs in. */
  constructor(reason: MemberSignInFailure, sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.reason = reason;
  }
}
