// The audit entry of a patch or put: only what differs.
import type { ChannelSettings } from '#contract/channels.ts';
import type { ChangeAudit } from './make-change.ts';

interface Compared<T extends object> {
  action: string;
  id: string;
  before: T;
  after: T;
}

/** null = nothing differs. */
export function auditOf<T extends object>({ action, id, before, after }: Compared<T>): ChangeAudit | null {
  const detail: Record<string, { from: unknown; to: unknown }> = {};
  for (const [field, to] of Object.entries(after)) {
    const from = (before as Record<string, unknown>)[field];
    if (JSON.stringify(from) !== JSON.stringify(to)) detail[field] = { from, to };
  }
  return Object.keys(detail).length === 0 ? null : { action, id, detail };
}

/** Of what is created where it is not there. */
export function auditOfPut<T extends object>(
  resource: string,
  id: string,
  { before, after }: { before: T | null; after: T },
): ChangeAudit | null {
  if (before === null) return { action: `${resource}.create`, id, detail: after };
  return auditOf({ action: `${resource}.change`, id, before, after });
}

/** Keys and the values of headers are hints, as everywhere. `headersChanged`: a value is another, be its hint the same. */
export function auditOfChannelChange(
  before: ChannelSettings,
  after: ChannelSettings,
  headersChanged: boolean,
): ChangeAudit | null {
  const audit = auditOf({ action: 'channel.change', id: after.id, before, after });
  if (!headersChanged) return audit;
  const headers = { from: before.headers, to: after.headers };
  return { action: 'channel.change', id: after.id, detail: { ...audit?.detail, headers } };
}
