// What the audit log says of a change of a channel: keys and the values of headers as hints, as everywhere.
import type { ChannelSettings } from '#contract/channels.ts';
import { auditOf } from '../audit-of.ts';
import type { ChangeAudit } from '../make-change.ts';

/** `headersChanged`: a value is another, be its hint the same. */
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
