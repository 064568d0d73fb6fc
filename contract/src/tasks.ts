// Video tasks as operators see them, with what happened to them and which webhooks were called.
import { z } from 'zod';
import { amountAnswer } from './values/amounts.ts';
import { etag } from './values/etag.ts';
import { listOf, listQuery } from './values/lists.ts';
import { id, line } from './values/text.ts';
import { timeFilter, unixTime } from './values/times.ts';

export const taskStatus = z.enum(['SUBMITTED', 'QUEUED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE']);

const stuck = z.enum(['submit_unknown', 'not_answering', 'late']);

export const task = z
  .object({
    id,
    account_id: id,
    token_id: id,
    request_id: id,
    endpoint: z.string(),
    model: z.string(),
    channel_id: z.string().nullable(),
    upstream_id: z.string().nullable(),
    status: taskStatus,
    state: z.string().meta({ description: 'Like status, with the steps of a submit that callers do not see' }),
    progress: z.int(),
    result_url: z.string().nullable(),
    fail_reason: z.string().nullable(),
    error_code: z.string().nullable(),
    seconds: z.int().nullable(),
    size: z.string().nullable(),
    hold: amountAnswer,
    charge: amountAnswer.nullable().meta({ description: 'null until the task is finished' }),
    arithmetic: z.string().nullable(),
    mode: z.enum(['live', 'test']),
    archived: z.boolean(),
    webhook_url: z.string().nullable(),
    created_at: unixTime,
    updated_at: unixTime,
    completed_at: unixTime.nullable(),
    deleted_at: unixTime.nullable(),
    deadline: unixTime,
    stuck: stuck.nullable().meta({ description: 'Why a live task needs attention; null = it does not' }),
    history: z.array(z.object({ status: taskStatus, at: unixTime })),
  })
  .meta({ id: 'Task' });

const attempt = z.object({
  at: unixTime,
  status: z.int().nullable(),
  error: z.string().nullable(),
  ms: z.number(),
});

export const delivery = z
  .object({
    id,
    task_id: id,
    url: z.string(),
    payload: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(attempt),
    next_attempt_at: unixTime.nullable(),
    created_at: unixTime,
    completed_at: unixTime.nullable(),
  })
  .meta({ id: 'WebhookDelivery' });

export const taskList = listOf(task);
export const deliveryList = listOf(delivery);
export const taskQuery = z.strictObject({
  ...listQuery,
  status: taskStatus.optional(),
  account_id: id.optional(),
  model: line(200).optional().meta({ description: 'The whole text, or its beginning and a *' }),
  channel_id: id.optional(),
  token_id: id.optional(),
  from: timeFilter.optional(),
  to: timeFilter.optional(),
  live: z.literal('true').optional().meta({ description: 'Only those that are not finished' }),
  stuck: z.literal('true').optional().meta({
    description:
      'Only live ones that went wrong: their submit was lost, their provider cannot be asked, or they are late',
  }),
});

export const webhook = z
  .object({ account_id: id, url: z.string().nullable(), created_at: unixTime, etag })
  .meta({ id: 'Webhook' });
export const webhookMade = webhook
  .extend({
    secret: z.string().nullable().meta({ description: 'Shown only now; null when the one before is kept' }),
  })
  .meta({ id: 'WebhookMade' });
export const webhookPut = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .nullable()
      .optional()
      .meta({
        description:
          'Called for every finished task of the account; null = only submits with a webhook_url; absent = as before',
      }),
    rotate_secret: z
      .boolean()
      .default(false)
      .meta({ description: 'Makes a new secret; without it the one that there is stays' }),
  })
  .meta({ id: 'WebhookPut' });

export type Task = z.infer<typeof task>;
export type Delivery = z.infer<typeof delivery>;
export type Webhook = z.infer<typeof webhook>;
