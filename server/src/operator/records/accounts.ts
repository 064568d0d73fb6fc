// Accounts as operators see them, and what may be done to them.
import type { Account, AccountCreate, AccountPatch } from '#contract/accounts.ts';
import { formatAmount, parseAmount } from '../../billing/money.ts';
import { makeIdOfSecond } from '../../shared/ids.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import {
  type AccountRow,
  findAccount,
  findAccountByExternalId,
  insertAccount,
  updateAccount,
} from '../../store/queries/accounts.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { withEtag } from '../etag.ts';
import { required } from '../not-found.ts';
import { given, readList, readRate, writeList, writeRate } from './json-columns.ts';

export function writeAccount(row: AccountRow): Account {
  return withEtag({
    id: row.id,
    name: row.name,
    group: row.group_name,
    status: row.status,
    models: readList(row.models),
    balance: formatAmount(row.balance),
    rate: readRate(row.rate),
    budget: row.budget === null ? null : formatAmount(row.budget),
    budget_period: row.budget_period,
    budget_start: row.budget_start,
    budget_used: formatAmount(row.budget_used),
    external_id: row.external_id,
    created_at: row.created_at,
  });
}

export async function getAccount(reads: Reads, id: string): Promise<Account> {
  return writeAccount(await requireAccount(reads, id));
}

async function requireAccount(reads: Reads, id: string): Promise<AccountRow> {
  return required(await findAccount(reads, id), 'account', id);
}

export async function createAccount(transaction: Transaction, input: AccountCreate, at: number): Promise<Account> {
  await refuseTakenExternalId(transaction, input.external_id);
  const row: AccountRow = {
    id: makeIdOfSecond('acc', at),
    name: input.name,
    group_name: input.group,
    status: input.status,
    models: writeList(input.models),
    balance: 0n,
    rate: writeRate('{}', input.rate),
    budget: readBudget(input.budget),
    budget_period: input.budget_period,
    budget_start: at,
    budget_used: 0n,
    external_id: input.external_id,
    created_at: at,
  };
  await insertAccount(transaction, row);
  return writeAccount(row);
}

export async function changeAccount(
  transaction: Transaction,
  id: string,
  { patch, at }: { patch: AccountPatch; at: number },
): Promise<Account> {
  const row = await requireAccount(transaction, id);
  if (patch.external_id !== row.external_id) await refuseTakenExternalId(transaction, patch.external_id);
  await updateAccount(transaction, id, {
    ...given(patch, 'name', 'status', 'budget_period', 'external_id'),
    ...(patch.group !== undefined && { group_name: patch.group }),
    ...(patch.models !== undefined && { models: writeList(patch.models) }),
    ...(patch.budget !== undefined && { budget: readBudget(patch.budget) }),
    // Spending counts from when a budget is set, or gets another period.
    ...(resets(row, patch) && { budget_start: at, budget_used: 0n }),
    ...(patch.rate !== undefined && { rate: writeRate(row.rate, patch.rate) }),
  });
  return getAccount(transaction, id);
}

async function refuseTakenExternalId(reads: Reads, externalId: string | null | undefined): Promise<void> {
  if (externalId === null || externalId === undefined) return;
  const taken = await findAccountByExternalId(reads, externalId);
  if (taken === undefined) return;
  const message = `"external_id" belongs to account ${taken.id} already.`;
  throw new GatewayError('conflict', { message, param: 'external_id' });
}

function resets(row: AccountRow, { budget, budget_period }: AccountPatch): boolean {
  const isSet = row.budget === null && budget !== undefined && budget !== null;
  return isSet || (budget_period !== undefined && budget_period !== row.budget_period);
}

function readBudget(text: string | null): bigint | null {
  return text === null ? null : (parseAmount(text) ?? null);
}
