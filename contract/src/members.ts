// Members: people of an account who use the portal.
import { z } from 'zod';
import { amount, amountAnswer } from './values/amounts.ts';
import { etag } from './values/etag.ts';
import { listOf, listQuery } from './values/lists.ts';
import { period } from './values/period.ts';
import { id } from './values/text.ts';
import { unixTime } from './values/times.ts';

export const memberEmail = z
  .string()
  .max(254)
  .regex(/^[^\s@,;<>"]+@[^\s@,;<>"]+\.[^\s@,;<>"]+$/, 'must be an e-mail address')
  .toLowerCase();
export const memberRole = z.enum(['owner', 'member', 'viewer']).meta({
  description: 'owner: all tokens of the account; member: the ones they made; viewer: reads only',
});
const status = z.enum(['active', 'disabled']);
const cap = z
  .strictObject({ amount, period: period.nullable().default(null) })
  .nullable()
  .meta({ description: 'What all tokens that the member made may spend together; null = no cap' });

export const member = z
  .object({
    id,
    account_id: id,
    email: z.string(),
    role: memberRole,
    status: z.enum(['invited', 'active', 'disabled']),
    cap: z.object({ amount: amountAnswer, period: period.nullable() }).nullable(),
    cap_used: amountAnswer,
    identity: z
      .object({ issuer: z.string(), subject: z.string() })
      .nullable()
      .meta({ description: 'Who signs in as this member by OpenID Connect; null: nobody has so far' }),
    created_at: unixTime,
    etag,
  })
  .meta({ id: 'Member' });

export const memberInvited = z
  .object({
    ...member.shape,
    invite: z.object({
      token: z.string(),
      link: z.string().meta({ description: 'To be sent to the person; shown only now' }),
      expires_at: unixTime,
    }),
  })
  .meta({ id: 'MemberInvited' });

export const memberCreate = z
  .strictObject({ email: memberEmail, role: memberRole.default('member'), cap: cap.default(null) })
  .meta({ id: 'MemberCreate' });

export const memberPatch = z.strictObject({ role: memberRole, status, cap }).partial().meta({ id: 'MemberPatch' });

export const memberList = listOf(member);
export const memberQuery = z.strictObject(listQuery);

export type Member = z.infer<typeof member>;
export type MemberCreate = z.infer<typeof memberCreate>;
export type MemberPatch = z.infer<typeof memberPatch>;
