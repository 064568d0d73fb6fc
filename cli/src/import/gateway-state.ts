// What of a plan the gateway has already, read once before anything is changed.
import type { Account } from '#contract/accounts.ts';
import type { Channel } from '#contract/channels.ts';
import type { Group } from '#contract/groups.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import type { Model } from '#contract/models.ts';
import type { Token } from '#contract/tokens.ts';
import { hashAccessToken } from '../../../server/src/access/access-token.ts';
import { parseAmount } from '../../../server/src/billing/money.ts';
import { readAll } from '../config/read-current.ts';
import { callOperator } from '../connection.ts';
import type { ImportPlan, PlannedToken } from './import-plan.ts';

export interface GatewayState {
  groups: Map<string, Group>;
  models: Map<string, Model>;
  channels: Map<string, Channel>;
  /** By external id. */
  accounts: Map<string, Account>;
}

export async function readState({ accounts }: ImportPlan): Promise<GatewayState> {
  const wanted = new Set(accounts.map(({ externalId }) => externalId));
  const all = (await readAll('/accounts')) as Account[];
  const by = <T>(rows: T[], key: (row: T) => string): Map<string, T> => new Map(rows.map((row) => [key(row), row]));
  return {
    groups: by((await readAll('/groups')) as Group[], ({ name }) => name),
    models: by((await readAll('/models')) as Model[], ({ id }) => id),
    channels: by((await readAll('/channels')) as Channel[], ({ name }) => name),
    accounts: by(
      all.filter(({ external_id: id }) => id !== null && wanted.has(id)),
      ({ external_id: id }) => id ?? '',
    ),
  };
}

/** Credits that imports of this source gave an account before: their number and sum in nano-units. */
export async function creditsBefore(accountId: string, mark: string): Promise<{ count: number; sum: bigint }> {
  const entries = (await readAll(`/ledger?account_id=${encodeURIComponent(accountId)}&kind=credit`)) as LedgerEntry[];
  const own = entries.filter(({ note }) => note?.startsWith(mark) === true);
  return { count: own.length, sum: own.reduce((sum, { amount }) => sum + (parseAmount(amount) ?? 0n), 0n) };
}

export async function findTokenByKey({ fields }: PlannedToken): Promise<Token | undefined> {
  const hash = fields.key_hash ?? `sha256:${hashAccessToken(fields.key ?? '')}`;
  const { data } = await callOperator<{ data: Token[] }>('/tokens', { query: { key_hash: hash } });
  return data[0];
}
