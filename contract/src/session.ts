// Signing in and out of the operator API, for the console.
import { z } from 'zod';
import { newPassword, role } from './operators.ts';
import { line } from './values/text.ts';
import { unixTime } from './values/times.ts';

const passwordTyped = z.string().min(1).max(200);

export const signIn = z.strictObject({ name: line(64), password: passwordTyped }).meta({ id: 'SignIn' });

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
  })
  .meta({ id: 'Session' });

export type Session = z.infer<typeof session>;
