// A line of the request log as operators and exports have it.
import type { LoggedRequest } from '#contract/requests.ts';
import { formatAmount } from '../../billing/money.ts';
import type { RequestsTable } from '../../store/tables.ts';

/** What the log itself holds. */
export type LogLine = Omit<LoggedRequest, 'task_status'>;

export function writeLogLine(row: RequestsTable): LogLine {
  return {
    id: row.id,
    account_id: row.account_id || null,
    token_id: row.token_id || null,
    group: row.group_name,
    endpoint: row.endpoint,
    model: row.model,
    channel_id: row.channel_id,
    status: row.status,
    error_code: row.error_code,
    reason: row.reason ?? null,
    attempts: JSON.parse(row.attempts) as LoggedRequest['attempts'],
    first_byte_ms: row.first_byte_ms,
    total_ms: row.total_ms,
    usage: row.usage === null ? null : (JSON.parse(row.usage) as LoggedRequest['usage']),
    usage_source: row.usage_source,
    charge: formatAmount(row.charge),
    arithmetic: row.arithmetic,
    mode: row.mode,
    created_at: row.created_at,
  };
}
