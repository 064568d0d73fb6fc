// Signing in through an OpenID Connect issuer: what a sign-in page has to know, and why a try came to nothing.
import { z } from 'zod';

export const signInWays = z
  .object({
    oidc: z
      .object({
        name: z.string().meta({ description: 'For people: who signs them in' }),
        start_url: z.string().meta({ description: 'Where a browser goes to begin' }),
      })
      .nullable()
      .meta({ description: 'null: only name and password' }),
  })
  .meta({ id: 'SignInWays' });

/** Stands in the address of the console, or of the portal, after a try that came to nothing. */
export const SIGN_IN_FAILURE_PARAMETER = 'sign_in';

export const signInFailure = z.enum([
  'cancelled',
  'refused',
  'expired',
  'unreachable',
  'invalid',
  'no_email',
  'unverified_email',
  'unknown_person',
  'disabled',
  'throttled',
  'failed',
]);

/** Members of accounts are bound to the issuer's name for them, and may have been invited too long ago. */
export const memberSignInFailure = z.enum([...signInFailure.options, 'other_identity', 'invite_expired']);

export const signInStart = z.strictObject({
  to: z.string().max(1000).optional().meta({ description: 'Path below the page to come back to, such as /tokens' }),
});

/** Issuers add parameters of their own, which are none of our business. */
export const signInCallback = z.object({
  state: z.string().optional(),
  code: z.string().optional(),
  error: z.string().optional(),
  iss: z.string().optional(),
});

export type SignInWays = z.infer<typeof signInWays>;
export type SignInFailure = z.infer<typeof signInFailure>;
export type MemberSignInFailure = z.infer<typeof memberSignInFailure>;
export type SignInCallback = z.infer<typeof signInCallback>;
