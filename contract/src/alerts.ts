// Alerts: what went wrong and whether it still is, the rules that find it, the sinks that are notified.
import { z } from 'zod';
import { alertRuleName } from './alert-rules.ts';
import { etag } from './values/etag.ts';
import { language } from './values/language.ts';
import { listOf, listQuery } from './values/lists.ts';
import { displayName, id, line } from './values/text.ts';
import { unixTime } from './values/times.ts';

const severity = z.enum(['critical', 'warning']);
const status = z.enum(['enabled', 'disabled']);

export const alert = z
  .object({
    id,
    rule: alertRuleName,
    severity,
    state: z.enum(['open', 'resolved']),
    subject_kind: z.enum(['channel', 'account', 'model', 'tasks', 'store']),
    subject: z.string().meta({ description: 'Id of the channel, account or model' }),
    title: z.string(),
    detail: z.string(),
    opened_at: unixTime,
    resolved_at: unixTime.nullable(),
  })
  .meta({ id: 'Alert' });

export const alertList = listOf(alert);
export const alertQuery = z.strictObject({
  ...listQuery,
  state: z.enum(['open', 'resolved']).optional(),
  rule: alertRuleName.optional(),
  subject: line(200).optional(),
});

const thresholds = z.record(z.string(), z.number()).meta({ description: 'By name; what is left out is the default' });

export const alertRule = z
  .object({
    rule: alertRuleName,
    title: z.string(),
    description: z.string(),
    severity,
    enabled: z.boolean(),
    thresholds,
    open: z.int().meta({ description: 'Open alerts of this rule' }),
    etag,
  })
  .meta({ id: 'AlertRule' });

export const alertRulePut = z
  .strictObject({ enabled: z.boolean().default(true), thresholds: thresholds.default({}) })
  .meta({ id: 'AlertRulePut' });
export const alertRuleParams = z.strictObject({ rule: alertRuleName });
export const alertRuleList = z.object({ data: z.array(alertRule), next_cursor: z.null() });

export const sinkKind = z.enum(['webhook', 'mail', 'slack', 'feishu', 'dingtalk']).meta({
  description: 'webhook: signed as standardwebhooks.com says; mail needs TOLLGATE_SMTP_URL',
});
const url = line(2000).nullable();
const to = z.array(z.email('must be an e-mail address').max(254)).max(50);
const secret = line(200).nullable();
const rules = z.array(alertRuleName).max(20).nullable().meta({ description: 'null = every rule' });

const SHOWN_END = 4;

/** The address of a chat as it is shown. */
export function chatUrlHint(address: string): string {
  return `${URL.parse(address)?.origin ?? ''}/…${address.slice(-SHOWN_END)}`;
}

export const alertSink = z
  .object({
    id,
    name: z.string(),
    kind: sinkKind,
    url: url.meta({ description: 'Of a chat only its beginning and end: it is a secret' }),
    to: z.array(z.string()),
    has_secret: z.boolean(),
    rules,
    resolved: z.boolean().meta({ description: 'Is it notified of the end of an alert, too?' }),
    language: language.meta({ description: 'Of messages to people; webhooks are English' }),
    status,
    created_at: unixTime,
    etag,
  })
  .meta({ id: 'AlertSink' });

/** The answer of create and of a change that makes a secret. */
export const alertSinkMade = alertSink
  .extend({ secret: z.string().nullable().meta({ description: 'Shown only now; null when none was made' }) })
  .meta({ id: 'AlertSinkMade' });

const fields = { name: displayName, url, to, secret, rules, resolved: z.boolean(), language, status };

export const alertSinkCreate = z
  .strictObject({
    name: displayName,
    kind: sinkKind,
    url: url.default(null).meta({ description: 'Of webhook, slack, feishu and dingtalk' }),
    to: to.default([]).meta({ description: 'Of mail: who receives it' }),
    secret: secret.default(null).meta({
      description: 'Of feishu and dingtalk: what the chat signs with; of webhook one is made where it is absent',
    }),
    rules: rules.default(null),
    resolved: z.boolean().default(true),
    language: language.default('en'),
    status: status.default('enabled'),
  })
  .meta({ id: 'AlertSinkCreate' });

export const alertSinkPatch = z
  .strictObject({ ...fields, rotate_secret: z.boolean().meta({ description: 'Of webhook: makes a new secret' }) })
  .partial()
  .meta({ id: 'AlertSinkPatch' });

export const alertSinkList = listOf(alertSink);
export const alertSinkQuery = z.strictObject(listQuery);

export const alertDelivery = z
  .object({
    id,
    sink_id: id,
    alert_id: id.nullable(),
    event: z.enum(['opened', 'resolved', 'test']),
    title: z.string(),
    status: z.enum(['pending', 'delivered', 'failed']),
    attempts: z.array(
      z.object({ at: unixTime, status: z.int().nullable(), error: z.string().nullable(), ms: z.number() }),
    ),
    last_error: z.string().nullable(),
    next_attempt_at: unixTime.nullable(),
    created_at: unixTime,
    completed_at: unixTime.nullable(),
  })
  .meta({ id: 'AlertDelivery' });
export const alertDeliveryList = listOf(alertDelivery);

export type Alert = z.infer<typeof alert>;
export type AlertRule = z.infer<typeof alertRule>;
export type AlertRulePut = z.infer<typeof alertRulePut>;
export type AlertSink = z.infer<typeof alertSink>;
export type AlertSinkCreate = z.infer<typeof alertSinkCreate>;
export type AlertSinkPatch = z.infer<typeof alertSinkPatch>;
export type AlertDelivery = z.infer<typeof alertDelivery>;
export type SinkKind = z.infer<typeof sinkKind>;
