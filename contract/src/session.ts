// Signing in and out of the operator API, for the console.
import { z } from 'zod';
import { newPassword, role } from './operators.ts';
import { line } from './values/text.ts';
import { unixTime } from './values/times.ts';

const passwordTyped = z.string().min(1).max(200);

/** Six digits of an authenticator, or a recovery code. */
const factorCode = z.string().min(1).max(64);

export const signIn = z
  .strictObject({
    name: line(64),
    password: passwordTyped,
    code: factorCode.optional().meta({ description: 'Of operators with a second factor' }),
  })
  .meta({ id: 'SignIn' });

/** Ends one session, or all of the operator's. */
export const signOut = z.strictObject({ everywhere: z.enum(['true', 'false']).optional() });

export const passwordChange = z
  .strictObject({ current_password: passwordTyped, new_password: newPassword })
  .meta({ id: 'PasswordChange' });

export const session = z
  .object({
    name: z.string().meta({ description: 'Name of the operator, or operator-key' }),
    role,
    must_change_password: z.boolean(),
    csrf_token: z.string().nullable().meta({ description: 'To be sent as x-csrf-token with every change' }),
    expires_at: unixTime.nullable(),
    currency: z.string().meta({ description: 'A word for amounts: TOLLGATE_CURRENCY' }),
    signed_in_by: z.enum(['password', 'oidc']).nullable().meta({ description: 'null with the operator key' }),
  })
  .meta({ id: 'Session' });

export const secondFactor = z
  .object({ enabled: z.boolean(), recovery_codes_left: z.int() })
  .meta({ id: 'SecondFactor' });
export const secondFactorBegin = z.strictObject({ password: passwordTyped });
export const secondFactorBegun = z
  .object({
    secret: z.string().meta({ description: 'Base32, for typing' }),
    uri: z.string().meta({ description: 'otpauth, for a QR code' }),
  })
  .meta({ id: 'SecondFactorBegun' });
export const secondFactorConfirm = z.strictObject({ code: factorCode });
export const secondFactorConfirmed = z
  .object({ recovery_codes: z.array(z.string()).meta({ description: 'Shown only now; each signs in once' }) })
  .meta({ id: 'SecondFactorConfirmed' });
export const secondFactorRemove = z.strictObject({ password: passwordTyped, code: factorCode });

export type SecondFactorBegun = z.infer<typeof secondFactorBegun>;
export type Session = z.infer<typeof session>;
