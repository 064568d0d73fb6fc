// The portal API (/portal/v1): what members of an account see and do. No channel, upstream or cost is in it.
import { z } from 'zod';
import { memberRole } from './members.ts';
import { tokenCreate, tokenPatch, token } from './tokens.ts';
import { amountAnswer } from './values/amounts.ts';
import { listOf, listQuery } from './values/lists.ts';
import { period } from './values/period.ts';
import { id, line, requestId } from './values/text.ts';
import { timeFilter, unixTime } from './values/times.ts';

const password = z.string().min(8).max(200);

export const portalSignIn = z.strictObject({ email: z.string().max(254).toLowerCase(), password: z.string().max(200) });
export const inviteAccept = z.strictObject({ token: line(200), password });

export const portalPasswordChange = z.strictObject({ current_password: z.string().max(200), new_password: password });

export const portalSession = z.object({
  email: z.string(),
  role: memberRole,
  account_id: id,
  has_password: z.boolean().meta({ description: 'false: the member signs in through the OpenID Connect issuer only' }),
  csrf_token: z.string(),
  expires_at: unixTime,
});

export const portalAccount = z.object({
  id,
  name: z.string(),
  currency: z.string(),
  balance: amountAnswer,
  budget: amountAnswer.nullable(),
  budget_period: period.nullable(),
  budget_used: amountAnswer,
  models: z.array(z.string()).nullable(),
  cap: z.object({ amount: amountAnswer, period: period.nullable(), used: amountAnswer }).nullable(),
});

const { account_id: _account, group: _group, options: _options, ...shownToken } = token.shape;
export const portalToken = z.object(shownToken);
export const portalTokenWithKey = z.object({ ...shownToken, key: z.string() });
export const portalTokenList = listOf(portalToken);

/** What a member may choose; the rest is the operator's. */
const own = {
  name: true,
  models: true,
  ip_allow: true,
  origins: true,
  quota: true,
  quota_period: true,
  rate: true,
  expires_at: true,
} as const;
export const portalTokenCreate = z.strictObject(tokenCreate.shape).pick({ ...own, mode: true });
export const portalTokenPatch = tokenPatch.pick({ ...own, status: true });

export const portalRequest = z.object({
  id: requestId,
  token_id: id,
  endpoint: z.string(),
  model: z.string().nullable(),
  status: z.int(),
  error_code: z.string().nullable(),
  first_byte_ms: z.number().nullable(),
  total_ms: z.number(),
  usage: z.record(z.string(), z.unknown()).nullable(),
  charge: amountAnswer,
  mode: z.enum(['live', 'test']),
  created_at: unixTime,
});
export const portalRequestList = listOf(portalRequest);
export const portalRequestQuery = z.strictObject({
  ...listQuery,
  token_id: id.optional(),
  model: line(200).optional(),
  failed: z.enum(['true', 'false']).optional(),
  from: timeFilter.optional(),
  to: timeFilter.optional(),
});

export const portalTask = z.object({
  id,
  token_id: id,
  model: z.string(),
  status: z.enum(['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE']),
  progress: z.int(),
  fail_reason: z.string().nullable(),
  seconds: z.int().nullable(),
  size: z.string().nullable(),
  charge: amountAnswer.nullable(),
  mode: z.enum(['live', 'test']),
  created_at: unixTime,
  completed_at: unixTime.nullable(),
});
export const portalTaskList = listOf(portalTask);
export const portalTaskQuery = z.strictObject(listQuery);

export const portalUsageRow = z.object({
  bucket: unixTime,
  model: z.string().optional(),
  token: z.string().optional(),
  requests: z.number(),
  errors: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  amount: amountAnswer,
});
export const portalUsageList = z.object({ data: z.array(portalUsageRow), next_cursor: z.string().nullable() });
export const portalUsageQuery = z.strictObject({
  from: timeFilter.optional().meta({ description: 'Default: 30 days before `to`' }),
  to: timeFilter.optional(),
  by: z.enum(['model', 'token']).optional(),
  mode: z.enum(['live', 'test']).default('live').meta({ description: 'Test tokens are never charged to the balance' }),
});

export const codeRedeem = z.strictObject({ code: line(200) });
export const codeRedeemed = z.object({ amount: amountAnswer, balance: amountAnswer });

export type PortalSession = z.infer<typeof portalSession>;
export type PortalAccount = z.infer<typeof portalAccount>;
export type PortalToken = z.infer<typeof portalToken>;
export type PortalRequest = z.infer<typeof portalRequest>;
export type PortalTask = z.infer<typeof portalTask>;
export type PortalUsageRow = z.infer<typeof portalUsageRow>;
