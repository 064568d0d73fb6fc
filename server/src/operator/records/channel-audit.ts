// What the audit log says of a channel: header values may be secrets, so only their names are kept.
import type { Channel } from '#contract/channels.ts';
import { auditOf } from '../audit-of.ts';
import type { ChangeAudit } from '../make-change.ts';

export function withoutHeaderValues(channel: Channel): object {
  return { ...channel, headers: Object.keys(channel.headers) };
}

export function auditOfChannelChange(before: Channel, after: Channel): ChangeAudit | null {
  const audit = auditOf({ action: 'channel.change', id: after.id, before, after });
  if (audit === null || !('headers' in audit.detail)) return audit;
  const headers = { from: Object.keys(before.headers), to: Object.keys(after.headers) };
  return { ...audit, detail: { ...audit.detail, headers } };
}
