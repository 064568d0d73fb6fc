// The request log: what was asked, where it went, what it used and cost.
import { z } from 'zod';
import { taskStatus } from './tasks.ts';
import { amount, amountAnswer } from './values/amounts.ts';
import { listOf, listQuery } from './values/lists.ts';
import { groupName, id, line, requestId } from './values/text.ts';
import { timeFilter, unixTime } from './values/times.ts';

export const usageSource = z.enum(['upstream', 'counted', 'estimated', 'bounded']);

const attempt = z.looseObject({
  channel_id: z.string().nullable(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  ms: z.number(),
  at: z.number().optional().meta({ description: 'When it began: milliseconds after the request arrived' }),
  key_id: z.string().optional().meta({ description: 'The channel key; not kept where the first one answered' }),
  key_hint: z.string().optional().meta({ description: 'Of a single request only' }),
  code: z.string().optional().meta({ description: 'The code of the upstream' }),
  message: z.string().optional().meta({ description: 'Its words, without keys and addresses; not of a refusal' }),
});

export const request = z
  .object({
    id: requestId,
    account_id: id.nullable().meta({ description: 'null: no token was known, so nobody is charged' }),
    token_id: id.nullable(),
    group: z.string(),
    endpoint: z.string(),
    model: z.string().nullable(),
    channel_id: z.string().nullable(),
    status: z.int(),
    error_code: z.string().nullable(),
    reason: z.string().nullable().meta({ description: 'Why the gateway itself refused it' }),
    attempts: z.array(attempt),
    first_byte_ms: z.number().nullable(),
    total_ms: z.number(),
    usage: z.record(z.string(), z.unknown()).nullable(),
    usage_source: usageSource.nullable(),
    charge: amountAnswer,
    arithmetic: z.string().nullable(),
    mode: z.enum(['live', 'test']),
    created_at: unixTime,
    task_status: taskStatus
      .nullable()
      .meta({ description: 'Of the video task that it submitted, which may fail long after the answer; null = none' }),
  })
  .meta({ id: 'Request' });

/** One request, with what the log does not hold itself. */
export const requestDetail = request
  .extend({
    task_id: id.nullable().meta({ description: 'The video task that it submitted' }),
    has_bodies: z.boolean().meta({ description: 'Its bodies are kept: GET /requests/{id}/bodies' }),
    currency: z.string().meta({ description: 'A word for amounts: TOLLGATE_CURRENCY' }),
    refund: z
      .object({
        ledger_id: z.string(),
        amount: amountAnswer,
        reason: z.string().nullable(),
        author: z.string().nullable(),
        created_at: unixTime,
      })
      .nullable()
      .meta({ description: 'null: none' }),
  })
  .meta({ id: 'RequestDetail' });

export const refund = z
  .strictObject({
    amount: amount.optional().meta({ description: 'At most the charge, which is the default' }),
    reason: line(500).meta({ description: 'For the ledger and the audit log' }),
  })
  .meta({ id: 'Refund' });

const body = z.object({
  content_type: z.string().nullable(),
  bytes: z.int().meta({ description: 'Of the whole body' }),
  text: z.string().nullable().meta({ description: 'Its beginning, at most 64 KiB; null where it is no text' }),
});

export const requestBodies = z
  .object({
    request_id: requestId,
    request: body.nullable().meta({ description: 'null: none was read' }),
    answer: body.nullable().meta({ description: 'null: none was sent' }),
    created_at: unixTime,
  })
  .meta({ id: 'RequestBodies' });

export const requestList = listOf(request);
export const requestQuery = z.strictObject({
  ...listQuery,
  id: requestId.optional(),
  account_id: id.optional(),
  token_id: id.optional(),
  model: line(200).optional().meta({ description: 'The whole text, or its beginning and a *' }),
  channel_id: id.optional().meta({ description: 'The last channel that was asked' }),
  provider: line(64).optional().meta({ description: 'Kind of the last channel that was asked' }),
  endpoint: line(200).optional(),
  group: groupName.optional(),
  mode: z.enum(['live', 'test']).optional(),
  lacks: z
    .enum(['model', 'channel', 'account', 'endpoint'])
    .optional()
    .meta({ description: 'Only those without: a known model, a channel, a known token, or counted under no endpoint' }),
  error_code: line(100).optional().meta({ description: 'The whole text, or its beginning and a *' }),
  unpriced: z
    .literal('true')
    .transform(() => true)
    .optional()
    .meta({ description: 'true: only those that used a server-side tool or a service tier without a price' }),
  usage_source: usageSource
    .optional()
    .meta({ description: 'bounded: the upstream reported usage that cannot be true' }),
  status: z.coerce.number().int().min(100).max(599).optional(),
  failed: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'true: only those with a status of 400 or more; false: only the others' }),
  from: timeFilter.optional(),
  to: timeFilter.optional(),
});

export type LoggedRequest = z.infer<typeof request>;
export type Refund = z.infer<typeof refund>;
export type RequestDetail = z.infer<typeof requestDetail>;
export type RequestBodies = z.infer<typeof requestBodies>;
