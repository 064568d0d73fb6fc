// Users of new-api and one-api as accounts here.
import { accountCreate } from '#contract/accounts.ts';
import { formatAmount } from '../../../../server/src/billing/money.ts';
import { type Exact, shown, toNano } from '../exact-decimal.ts';
import type { NotTaken, PlannedAccount } from '../import-plan.ts';
import { isSet, type Row, text, whole } from '../sources/source.ts';
import { groupOf, nameOf } from '../names.ts';

const ENABLED = 1n;
/** What an account here can hold. */
const LARGEST = 4_000_000_000n * 1_000_000_000n;

export interface ReadAccounts {
  accounts: PlannedAccount[];
  /** External id of the account of a user, by the user's id. */
  byUser: Map<string, string>;
  notTaken: NotTaken[];
  sumBefore: bigint;
  sumNotTaken: bigint;
}

export function readAccounts(
  rows: readonly Row[],
  { perUnit, label }: { perUnit: Exact; label: string },
): ReadAccounts {
  const read: ReadAccounts = { accounts: [], byUser: new Map(), notTaken: [], sumBefore: 0n, sumNotTaken: 0n };
  let rewards = 0n;
  for (const row of rows.toSorted((a, b) => Number(whole(a['id']) - whole(b['id'])))) {
    const id = text(row['id']);
    const name = nameOf(text(row['username']), `user ${id}`);
    const nano = toNano({ digits: whole(row['quota']), scale: 0 }, perUnit);
    read.sumBefore += nano;
    rewards += toNano({ digits: whole(row['aff_quota']), scale: 0 }, perUnit);
    const problem = problemOf(row, nano);
    if (problem !== undefined) {
      read.sumNotTaken += nano;
      read.notTaken.push({ kind: 'account', name, reason: problem.reason });
      if (problem.isLeftOut) continue;
    }
    const externalId = `${label}:user:${id}`;
    read.byUser.set(id, externalId);
    read.accounts.push({
      externalId,
      fields: accountCreate.parse({
        name,
        group: groupOf(text(row['group']) || 'default'),
        status: whole(row['status']) === ENABLED ? 'active' : 'disabled',
        external_id: externalId,
      }),
      balance: problem === undefined ? nano : 0n,
      arithmetic: `${text(row['quota'])} / ${shown(perUnit)}`,
    });
  }
  if (rewards !== 0n)
    read.notTaken.push({
      kind: 'money',
      name: 'invitation rewards',
      reason: `${formatAmount(rewards)} that users have not moved to their balance there; credit it by hand`,
    });
  return read;
}

function problemOf(row: Row, nano: bigint): { reason: string; isLeftOut: boolean } | undefined {
  const amount = formatAmount(nano);
  if (isSet(row['deleted_at'])) return { reason: `deleted there (balance ${amount})`, isLeftOut: true };
  if (nano < 0n)
    return {
      reason: `its balance ${amount} is below zero; it begins with 0 here, and the debt is not booked`,
      isLeftOut: false,
    };
  if (nano > LARGEST)
    return {
      reason: `its balance ${amount} is larger than an account can hold here; it begins with 0`,
      isLeftOut: false,
    };
  return undefined;
}
