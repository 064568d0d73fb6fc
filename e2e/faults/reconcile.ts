// Client journal, upstream record, ledger and balances must agree: read from the database, after the fault is over.
import assert from 'node:assert/strict';
import type { Selectable } from 'kysely';
import type { SandboxRecord } from '../../server/src/sandbox/server.ts';
import { openStore, type StoreSettings } from '../../server/src/store/open-store.ts';
import type { Store } from '../../server/src/store/store.ts';
import type { LedgerTable, TokensTable } from '../../server/src/store/tables.ts';
import type { JournalEntry } from './chat-client.ts';
import { NANO_PER_TOKEN } from './operator.ts';

export interface Books {
  accounts: { id: string; balance: bigint }[];
  tokens: Selectable<TokensTable>[];
  /** Every hold ever made. */
  holds: { id: string; amount: bigint; status: 'open' | 'settled' | 'released' }[];
  entries: Selectable<LedgerTable>[];
}

export const sum = (amounts: bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

export async function withStore<T>(settings: StoreSettings, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openStore(settings);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export function readBooks(settings: StoreSettings): Promise<Books> {
  return withStore(settings, async ({ reads }) => {
    const entries = await reads.selectFrom('ledger').selectAll().orderBy('id').execute();
    return {
      accounts: await reads.selectFrom('accounts').select(['id', 'balance']).execute(),
      tokens: await reads.selectFrom('tokens').selectAll().execute(),
      holds: holdsOf(entries),
      entries,
    };
  });
}

/** Every hold ever made, as its lines in the ledger tell. */
function holdsOf(entries: Books['entries']): Books['holds'] {
  const kinds = Map.groupBy(entries, (entry) => entry.hold_id);
  return entries
    .filter((entry) => entry.kind === 'hold')
    .map(({ hold_id, amount }) => {
      const own = (kinds.get(hold_id) ?? []).map((entry) => entry.kind);
      const status = own.includes('settle') ? 'settled' : own.includes('release') ? 'released' : 'open';
      return { id: hold_id ?? '', amount, status };
    });
}

/** Milliseconds until no hold was open; fails after the given time. */
export function untilNoOpenHold(settings: StoreSettings, timeoutMs: number): Promise<number> {
  return withStore(settings, async ({ reads }) => {
    const startedAt = Date.now();
    for (;;) {
      const open = await reads.selectFrom('holds').select(['id', 'owner']).execute();
      if (open.length === 0) return Date.now() - startedAt;
      assert.ok(Date.now() - startedAt < timeoutMs, `${open.length} holds are still open after ${timeoutMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  });
}

/** What must be true of any books at rest (promises M-03, M-04, M-11). */
export function checkBooks({ accounts, tokens, holds, entries }: Books): void {
  const ofHold = Map.groupBy(entries, (entry) => entry.hold_id);
  for (const hold of holds) {
    const amounts = (kind: string): bigint[] =>
      (ofHold.get(hold.id) ?? []).filter((entry) => entry.kind === kind).map((entry) => entry.amount);
    assert.notEqual(hold.status, 'open', `hold ${hold.id} is open`);
    assert.deepEqual(amounts('hold'), [hold.amount], `lines of hold ${hold.id}`);
    assert.equal(amounts('settle').length, hold.status === 'settled' ? 1 : 0, `settles of ${hold.status} ${hold.id}`);
    const settled = sum(amounts('settle'));
    assert.equal(sum(amounts('release')), settled > hold.amount ? 0n : hold.amount - settled, `release of ${hold.id}`);
    assert.ok(amounts('release').length <= 1, `releases of ${hold.id}`);
  }
  for (const { id, balance } of accounts) {
    const own = entries.filter((entry) => entry.account_id === id && entry.mode === 'live');
    const total = (kind: string): bigint =>
      sum(own.filter((entry) => entry.kind === kind).map((entry) => entry.amount));
    assert.equal(balance, total('credit') - total('settle'), `balance of ${id} = credits - settles`);
    assert.equal(own.at(-1)?.balance_after ?? 0n, balance, `the last line of ${id} shows its balance`);
  }
  for (const { id, used, held } of tokens) {
    const settles = entries.filter((entry) => entry.token_id === id && entry.kind === 'settle');
    assert.equal(used, sum(settles.map((entry) => entry.amount)), `used of token ${id}`);
    assert.equal(held, 0n, `held of token ${id}`);
  }
}

/** By request, gathered once: a soak has hundreds of thousands of lines. */
const settlesByRequest = new WeakMap<Books, Map<string, bigint[]>>();

export function settlesOf(books: Books, requestId: string): bigint[] {
  let known = settlesByRequest.get(books);
  if (known === undefined) {
    known = new Map();
    for (const { kind, request_id, amount } of books.entries)
      if (kind === 'settle' && request_id !== null) known.set(request_id, [...(known.get(request_id) ?? []), amount]);
    settlesByRequest.set(books, known);
  }
  return known.get(requestId) ?? [];
}

/** Every answer that a client has whole is charged once, at the price of the usage it saw (promise M-05). */
export function checkJournal(books: Books, journal: readonly JournalEntry[]): number {
  let answered = 0;
  for (const { status, complete, requestId, usage } of journal) {
    if (requestId !== undefined) assert.ok(settlesOf(books, requestId).length <= 1, `${requestId} is charged twice`);
    if (status !== 200 || !complete) continue;
    answered++;
    assert.ok(requestId !== undefined && usage !== undefined, `an answer without id or usage: ${requestId}`);
    assert.deepEqual(settlesOf(books, requestId), [priceOf(usage)], `charge of the answered request ${requestId}`);
  }
  return answered;
}

export function priceOf({ input, cached, output }: NonNullable<JournalEntry['usage']>): bigint {
  const { input: plain, cached: cheap, output: made } = NANO_PER_TOKEN;
  return BigInt(input - cached) * plain + BigInt(cached) * cheap + BigInt(output) * made;
}

/** No call reached the upstream without a hold (promise M-01). Each call has a `max_tokens` of its own, and its hold shows it. */
export function checkUpstream({ holds }: Books, records: readonly Pick<SandboxRecord, 'id' | 'body'>[]): void {
  const held = new Map<number, number>();
  for (const hold of holds) {
    const maxTokens = Number(hold.amount / NANO_PER_TOKEN.output);
    held.set(maxTokens, (held.get(maxTokens) ?? 0) + 1);
  }
  const seen = new Set<number>();
  for (const { body, id } of records) {
    const maxTokens = (body as { max_tokens?: number } | null)?.max_tokens;
    if (maxTokens === undefined) continue; // killed before its body came
    assert.equal(held.get(maxTokens), 1, `call ${id} of the upstream has one hold`);
    assert.ok(!seen.has(maxTokens), `call ${id} reached the upstream twice`);
    seen.add(maxTokens);
  }
}
