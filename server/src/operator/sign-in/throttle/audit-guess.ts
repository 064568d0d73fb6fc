// Writes failed sign-ins and guessed keys to the audit log: each of the first ones from an address, then one row each time
// their number has doubled, and few in all. Guesses cannot fill the log.
import { insertAudit } from '../../../store/queries/audit.ts';
import type { Store } from '../../../store/store.ts';
import type { Count, GuessCounts } from './guess-counts.ts';

export interface Guess {
  action: 'session.refuse' | 'operator_key.refuse';
  address: string;
  reason: string;
  /** Whose password it was; undefined when there is no such operator. What was typed is not kept: it may be a password. */
  operator?: { id: string; name: string } | undefined;
  /** From this address, this one included. */
  byAddress: Count;
}

/** No operator can have this name. */
const NOBODY = '(not signed in)';
const EACH_FROM_ADDRESS = 10;
const EACH_IN_ALL = 200;

export async function auditGuess(store: Store, counts: GuessCounts, guess: Guess): Promise<void> {
  const { action, address, reason, operator, byAddress } = guess;
  if (!isNews(byAddress, EACH_FROM_ADDRESS) || !isNews(await counts.add('audit rows'), EACH_IN_ALL)) return;
  const detail = { address, reason, ...(operator && { name: operator.name }), failures: byAddress.failures };
  await store.transaction((transaction) =>
    insertAudit(transaction, {
      operator: NOBODY,
      action,
      resource: action.slice(0, action.indexOf('.')),
      resource_id: operator?.id ?? '',
      detail: JSON.stringify(detail),
      created_at: counts.now,
    }),
  );
}

function isNews({ before, failures }: Count, each: number): boolean {
  if (failures <= each) return failures > before;
  return Math.floor(Math.log2(failures)) > Math.floor(Math.log2(Math.max(1, before)));
}
