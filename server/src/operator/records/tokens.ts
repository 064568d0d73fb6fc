// Access tokens as operators see them. The text of a key is in the answers of create and rotate, and nowhere else.
import type { Token, TokenCreate, TokenOptions, TokenPatch } from '#contract/tokens.ts';
import { makeAccessToken } from '../../access/access-token.ts';
import { formatAmount, parseAmount } from '../../billing/money.ts';
import { GatewayError, invalidRequest } from '../../errors/gateway-error.ts';
import { makeIdOfSecond } from '../../shared/ids.ts';
import { findAccount } from '../../store/queries/accounts.ts';
import { hasEntries } from '../../store/queries/ledger.ts';
import {
  endTokenKeys,
  findToken,
  forgetEndedKey,
  hasTokenKey,
  insertToken,
  insertTokenKey,
  type TokenChanges,
  type TokenRow,
  updateToken,
} from '../../store/queries/tokens.ts';
import type { Reads, Transaction } from '../../store/store.ts';
import { withEtag } from '../etag.ts';
import { required } from '../not-found.ts';
import { given, readList, readRate, writeList, writeRate } from './json-columns.ts';
import { type LimitSetter, settersAfter } from './limit-setters.ts';

const USUAL: TokenOptions = { strict: false, fit_balance: false, store_bodies: 'off' };

export interface TokenAndKey {
  token: Token;
  /** Shown once. */
  key: string;
}

export function writeToken(row: TokenRow): Token {
  return withEtag({
    id: row.id,
    account_id: row.account_id,
    name: row.name,
    models: readList(row.models),
    group: row.group_name,
    ip_allow: readList(row.ip_allow),
    origins: readList(row.origins),
    quota: row.quota === null ? null : formatAmount(row.quota),
    quota_period: row.quota_period,
    period_start: row.period_start,
    period_used: formatAmount(row.period_used),
    rate: readRate(row.rate),
    expires_at: row.expires_at,
    mode: row.mode,
    status: row.status,
    options: readOptions(row),
    used: formatAmount(row.used),
    held: formatAmount(row.held),
    key_hint: row.key_hint,
    created_at: row.created_at,
  });
}

export async function getToken(reads: Reads, id: string): Promise<Token> {
  return writeToken(await requireToken(reads, id));
}

/** The key is null where only its hash is known (contract-2 10). */
export async function createToken(
  transaction: Transaction,
  input: TokenCreate & { memberId?: string },
  at: number,
): Promise<{ token: Token; key: string | null }> {
  await requireAccount(transaction, input.account_id);
  const { key, keyHash, keyHint } = keyOf(input);
  await forgetEndedKey(transaction, keyHash, at);
  if (await hasTokenKey(transaction, keyHash)) {
    const param = input.key_hash === undefined ? 'key' : 'key_hash';
    throw new GatewayError('conflict', { message: `"${param}" belongs to a token already.`, param });
  }
  const row: TokenRow = {
    id: makeIdOfSecond('tok', at),
    account_id: input.account_id,
    name: input.name,
    models: writeList(input.models),
    group_name: input.group,
    ip_allow: writeList(input.ip_allow),
    origins: writeList(input.origins),
    quota: readQuota(input.quota),
    quota_period: input.quota_period,
    period_start: at,
    period_used: 0n,
    rate: writeRate('{}', input.rate),
    expires_at: input.expires_at,
    mode: input.mode,
    status: input.status,
    options: JSON.stringify({ ...USUAL, ...input.options }),
    key_hint: keyHint,
    used: 0n,
    held: 0n,
    member_id: input.memberId ?? null,
    limits_set_by: null,
    created_at: at,
  };
  await insertToken(transaction, row);
  await insertTokenKey(transaction, { key_hash: keyHash, token_id: row.id, ends_at: null, created_at: at });
  return { token: writeToken(row), key };
}

function keyOf({ key, key_hash: given }: TokenCreate): { key: string | null; keyHash: string; keyHint: string } {
  if (given === undefined) return makeAccessToken(key);
  const keyHash = given.slice('sha256:'.length).toLowerCase();
  return { key: null, keyHash, keyHint: `sha256:${keyHash.slice(0, 6)}...` };
}

export async function changeToken(
  transaction: Transaction,
  id: string,
  { patch, at, by }: { patch: TokenPatch; at: number; by: LimitSetter },
): Promise<Token> {
  const row = await requireToken(transaction, id);
  if (patch.account_id !== undefined) await requireAccount(transaction, patch.account_id);
  const moves = patch.account_id !== undefined && patch.account_id !== row.account_id;
  if (moves && (await hasEntries(transaction, row))) {
    throw invalidRequest('A token that was used stays with its account: its charges are booked there.', 'account_id');
  }
  const changes: TokenChanges = {
    ...given(patch, 'account_id', 'name', 'quota_period', 'expires_at', 'mode', 'status'),
    ...(patch.models !== undefined && { models: writeList(patch.models) }),
    ...(patch.group !== undefined && { group_name: patch.group }),
    ...(patch.ip_allow !== undefined && { ip_allow: writeList(patch.ip_allow ?? []) }),
    ...(patch.origins !== undefined && { origins: writeList(patch.origins ?? []) }),
    ...(patch.quota !== undefined && { quota: readQuota(patch.quota) }),
    // What was held before counts in no period of the new kind, nor what was held while there was no quota.
    ...(resets(row, patch) && { period_start: at, period_used: 0n }),
    ...(patch.rate !== undefined && { rate: writeRate(row.rate, patch.rate) }),
    ...(patch.options !== undefined && { options: JSON.stringify({ ...readOptions(row), ...patch.options }) }),
  };
  const [before, after] = [writeToken(row), writeToken({ ...row, ...changes })];
  const limits_set_by = settersAfter(row, { before, after, by, disables: patch.status === 'disabled' });
  await updateToken(transaction, id, { ...changes, limits_set_by });
  return getToken(transaction, id);
}

function resets(row: TokenRow, { quota, quota_period }: TokenPatch): boolean {
  const isSet = row.quota === null && quota !== undefined && quota !== null;
  return isSet || (quota_period !== undefined && quota_period !== row.quota_period);
}

/** A new key; the one before ends after the grace. */
export async function rotateToken(
  transaction: Transaction,
  id: string,
  { at, graceSeconds }: { at: number; graceSeconds: number },
): Promise<TokenAndKey> {
  const { status } = await requireToken(transaction, id);
  if (status === 'disabled')
    throw new GatewayError('conflict', {
      message: 'The token is disabled, so a new key would not work. Set its status to "enabled" first.',
    });
  const { key, keyHash, keyHint } = makeAccessToken();
  await endTokenKeys(transaction, id, { at, endsAt: at + graceSeconds });
  await insertTokenKey(transaction, { key_hash: keyHash, token_id: id, ends_at: null, created_at: at });
  await updateToken(transaction, id, { key_hint: keyHint });
  return { token: await getToken(transaction, id), key };
}

/** Disabled and without keys. The record stays, because the ledger and the request log name it. */
export async function retireToken(transaction: Transaction, id: string, at: number): Promise<void> {
  await requireToken(transaction, id);
  await endTokenKeys(transaction, id, { at, endsAt: at });
  await updateToken(transaction, id, { status: 'disabled' });
}

async function requireToken(reads: Reads, id: string): Promise<TokenRow> {
  return required(await findToken(reads, id), 'token', id);
}

async function requireAccount(reads: Reads, id: string): Promise<void> {
  if ((await findAccount(reads, id)) === undefined) {
    throw invalidRequest(`"account_id" names no account: "${id}".`, 'account_id');
  }
}

function readQuota(text: string | null): bigint | null {
  return text === null ? null : (parseAmount(text) ?? null);
}

function readOptions(row: TokenRow): TokenOptions {
  return { ...USUAL, ...(JSON.parse(row.options) as Partial<TokenOptions>) };
}
