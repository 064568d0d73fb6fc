// Every change an operator makes: rows, audit entry and notice to the other processes in one transaction, then applied
// here before the answer goes out.
import { unixSeconds } from '../shared/clock.ts';
import { insertAudit } from '../store/queries/audit.ts';
import { lockChanges, recordChange } from '../store/queries/changes.ts';
import type { Transaction } from '../store/store.ts';
import type { ChangesTable } from '../store/tables.ts';
import type { OperatorDependencies } from './dependencies.ts';
import { currentClaim } from './idempotency.ts';

export interface Change<T> {
  answer: T;
  /** null = nothing changed after all. */
  audit: ChangeAudit | null;
  /** Whom it concerns beyond this request; null = nobody. */
  notice: ChangesTable['kind'] | null;
  /** Subject of the notice, where it is not that of the audit entry. */
  noticeId?: string;
}

export interface ChangeAudit {
  /** `resource.verb`. */
  action: string;
  id: string;
  /** What changed, without secrets. */
  detail: object;
}

export async function makeChange<T>(
  dependencies: Pick<OperatorDependencies, 'store' | 'clock' | 'onChange'>,
  author: string,
  work: (transaction: Transaction, at: number) => Promise<Change<T>>,
): Promise<T> {
  const at = unixSeconds(dependencies.clock);
  const change = await dependencies.store.transaction(async (transaction) => {
    await lockChanges(transaction);
    const made = await work(transaction, at);
    if (made.audit === null) return made;
    await currentClaim.getStore()?.markDone(transaction);
    const { action, id, detail } = made.audit;
    await insertAudit(transaction, {
      operator: author,
      action,
      resource: action.slice(0, action.indexOf('.')),
      resource_id: id,
      detail: JSON.stringify(detail, (name, value: unknown) => (name === 'etag' ? undefined : value)),
      created_at: at,
    });
    if (made.notice !== null) await recordChange(transaction, made.notice, made.noticeId ?? id, at);
    return made;
  });
  if (change.audit !== null && change.notice !== null) await dependencies.onChange();
  return change.answer;
}
