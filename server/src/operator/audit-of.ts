// The audit entry of a patch or put: only what differs.
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
