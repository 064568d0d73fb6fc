// One request of the ledger as operators read it: what it came to, with its sign.
import type { LedgerFold } from '#contract/ledger.ts';
import { formatAmount } from '../../billing/money.ts';
import type { LedgerGroup } from '../../store/queries/folded-ledger.ts';

export function writeLedgerFold({ entries }: LedgerGroup): LedgerFold {
  const [first] = entries;
  const last = entries.at(-1) ?? first;
  const of = (kind: string) => entries.find((entry) => entry.kind === kind);
  const [credit, hold, settle, release] = [of('credit'), of('hold'), of('settle'), of('release')];
  return {
    id: String(last.id),
    kind:
      credit !== undefined ? 'credit' : settle !== undefined ? 'charge' : release !== undefined ? 'release' : 'hold',
    account_id: first.account_id,
    token_id: first.token_id,
    request_id: entries.find(({ request_id }) => request_id !== null)?.request_id ?? null,
    task_id: entries.find(({ task_id }) => task_id !== null)?.task_id ?? null,
    amount: formatAmount(
      credit?.amount ?? (settle !== undefined ? -settle.amount : release !== undefined ? 0n : -(hold?.amount ?? 0n)),
    ),
    held: hold === undefined ? null : formatAmount(hold.amount),
    released: release === undefined ? null : formatAmount(release.amount),
    balance_after: formatAmount(last.balance_after),
    mode: first.mode,
    usage_source: settle?.usage_source ?? null,
    note: last.note,
    author: last.author,
    created_at: last.created_at,
  };
}
