// The books after a test: every hold ended exactly once, every balance is the sum of its ledger, every token used what
// was settled on it, and nothing is left open.
import assert from 'node:assert/strict';
import type { Account } from '#contract/accounts.ts';
import type { LedgerEntry } from '#contract/ledger.ts';
import type { LoggedRequest } from '#contract/requests.ts';
import type { Token } from '#contract/tokens.ts';
import type { TestGateway } from './gateway.ts';
import { waitUntil } from './wait.ts';

type Asked = Pick<TestGateway, 'operator'>;

/** Decimal text -> whole nano-units; written here so that the gateway's own reading cannot agree with itself. */
export function nano(text: string): bigint {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  assert.notEqual(whole, '', `not an amount: ${text}`);
  const value = BigInt(whole) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -value : value;
}

async function listAll<T>(gateway: Asked, path: string, query: Record<string, string>): Promise<T[]> {
  const rows: T[] = [];
  let cursor: string | null = null;
  do {
    const search = new URLSearchParams({ ...query, limit: '200', ...(cursor !== null && { cursor }) });
    const page: { data: T[]; next_cursor: string | null } = await gateway.operator(
      'GET',
      `${path}?${search.toString()}`,
    );
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}

/** Oldest first. */
export async function ledgerOf(gateway: Asked, query: Record<string, string> = {}): Promise<LedgerEntry[]> {
  return (await listAll<LedgerEntry>(gateway, '/ledger', query)).reverse();
}

/** Oldest first. */
export async function requestsOf(gateway: Asked, query: Record<string, string> = {}): Promise<LoggedRequest[]> {
  return (await listAll<LoggedRequest>(gateway, '/requests', query)).reverse();
}

export async function requestOf(gateway: Asked, response: { headers: Headers }): Promise<LoggedRequest> {
  return gateway.operator('GET', `/requests/${response.headers.get('x-request-id')}`);
}

export async function balanceOf(gateway: Asked, accountId: string): Promise<string> {
  return (await gateway.operator<Account>('GET', `/accounts/${accountId}`)).balance;
}

/** Of one account, or of all. */
export async function assertMoneyAddsUp(gateway: Asked, accountId?: string): Promise<void> {
  const { entries, tokens, accounts } = await booksAtRest(gateway, accountId);
  checkHolds(entries);
  for (const account of accounts) checkBalance(account, entries);
  for (const token of tokens) checkToken(token, entries);
}

interface Books {
  entries: LedgerEntry[];
  tokens: Token[];
  accounts: Account[];
}

/**
 * Waits for the holds of clients that have left: the gateway may not even have read what the last of them asked for. Balances
 * and tokens are of the moment of the ledger when no line came while they were read.
 */
async function booksAtRest(gateway: Asked, accountId?: string): Promise<Books> {
  const filter: Record<string, string> = accountId === undefined ? {} : { account_id: accountId };
  let entries = await ledgerOf(gateway, filter);
  let tokens: Token[] = [];
  let accounts: Account[] = [];
  await waitUntil(async () => {
    const before = entries.length;
    tokens = await listAll<Token>(gateway, '/tokens', filter);
    accounts =
      accountId === undefined
        ? await listAll<Account>(gateway, '/accounts', {})
        : [await gateway.operator<Account>('GET', `/accounts/${accountId}`)];
    entries = await ledgerOf(gateway, filter);
    return entries.length === before && tokens.every(({ held }) => nano(held) === 0n);
  }, 'a hold stays open, or lines keep coming');
  return { entries, tokens, accounts };
}

function checkHolds(entries: LedgerEntry[]): void {
  const held = Map.groupBy(
    entries.filter(({ kind }) => kind !== 'credit'),
    ({ request_id, task_id }) => request_id ?? task_id ?? 'neither request nor task',
  );
  for (const [id, lines] of held) {
    const amounts = (kind: LedgerEntry['kind']): bigint[] =>
      lines.filter((line) => line.kind === kind).map(({ amount }) => nano(amount));
    const [holds, settles, releases] = [amounts('hold'), amounts('settle'), amounts('release')];
    assert.equal(holds.length, 1, `${id} has ${holds.length} holds`);
    assert.ok(settles.length <= 1 && releases.length <= 1, `${id} ended more than once`);
    assert.ok(settles.length + releases.length >= 1, `the hold of ${id} stays open`);
    const [hold = 0n, settle = 0n, release = 0n] = [holds[0], settles[0], releases[0]];
    assert.ok(hold >= 0n && settle >= 0n && release >= 0n, `${id} has a negative amount`);
    if (settle <= hold) assert.equal(settle + release, hold, `${id}: hold is not settle + release`);
    else assert.equal(release, 0n, `${id}: more was charged than held, and yet something was given back`);
  }
}

function checkBalance(account: Account, entries: LedgerEntry[]): void {
  let balance = 0n;
  const holds = new Map<string, bigint>();
  for (const { kind, amount, balance_after, account_id, request_id, task_id, mode } of entries) {
    if (account_id !== account.id) continue;
    const value = mode === 'test' ? 0n : nano(amount);
    const id = request_id ?? task_id ?? '';
    if (kind === 'credit' || kind === 'release') balance += value;
    if (kind === 'hold') {
      balance -= value;
      holds.set(id, value);
    }
    const excess = value - (holds.get(id) ?? 0n);
    if (kind === 'settle' && excess > 0n) balance -= excess;
    assert.equal(nano(balance_after), balance, `balance_after of a ${kind} of ${id}`);
  }
  assert.equal(nano(account.balance), balance, `the balance of ${account.name} is not the sum of its ledger`);
}

function checkToken(token: Token, entries: LedgerEntry[]): void {
  const settled = entries
    .filter(({ kind, token_id }) => kind === 'settle' && token_id === token.id)
    .reduce((sum, { amount }) => sum + nano(amount), 0n);
  assert.equal(nano(token.used), settled, `the token ${token.name} used something else than was settled`);
}
