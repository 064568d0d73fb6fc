// Alerts, their rules as operators set them, the sinks that are notified and what was sent to them. Of one rule and subject
// there is one open alert at most, whatever process finds it.
import type { Migration } from './migration.ts';

export const alerts: Migration = {
  name: '0111-alerts',
  statements: ({ id, time, byKey }) => [
    `create table alerts (
      id ${id} primary key, rule text not null, severity text not null, subject_kind text not null, subject text not null,
      title text not null, detail text not null, opened_at ${time} not null, updated_at ${time} not null,
      resolved_at ${time}) ${byKey}`,
    `create unique index alerts_open on alerts (rule, subject) where resolved_at is null`,
    `create index alerts_by_end on alerts (resolved_at) where resolved_at is not null`,
    `create table alert_rules (rule text primary key, enabled integer not null, thresholds text not null)`,
    `create table alert_sinks (
      id ${id} primary key, name text not null unique, kind text not null, url text, recipients text not null, secret text,
      rules text, resolved integer not null, status text not null, created_at ${time} not null) ${byKey}`,
    `create table alert_deliveries (
      id ${id} primary key, sink_id ${id} not null, alert_id ${id}, event text not null, payload text not null,
      status text not null, attempts integer not null, log text not null, next_attempt_at ${time} not null,
      created_at ${time} not null, completed_at ${time}) ${byKey}`,
    `create index alert_deliveries_by_sink on alert_deliveries (sink_id, id)`,
    `create index alert_deliveries_by_alert on alert_deliveries (alert_id, id)`,
    `create index alert_deliveries_due on alert_deliveries (next_attempt_at) where completed_at is null`,
    `create table alert_duty (name text primary key, owner text not null, ends_at ${time} not null)`,
  ],
};
