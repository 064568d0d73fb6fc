// The four-way reconcile: what clients read, what the provider reported, what the ledger says and what the balances lost must
// be the same money, call by call and in sum.
import assert from 'node:assert/strict';
import type { StoreSettings } from '../../../../server/src/store/open-store.ts';
import type { JournalEntry } from '../../chat-client.ts';
import { NANO_PER_TOKEN } from '../../operator.ts';
import {
  type Books,
  checkBooks,
  checkJournal,
  checkUpstream,
  priceOf,
  readBooks,
  settlesOf,
  sum,
  untilNoOpenHold,
} from '../../reconcile.ts';
import type { StubRecord } from '../providers/stub-provider.ts';

export interface Sums {
  /** Answers that clients have whole, at the usage they saw. */
  client: bigint;
  /** Charged calls, at the usage that the provider reported. */
  upstream: bigint;
  /** Settles. */
  ledger: bigint;
  /** Credits less what the accounts have left. */
  balances: bigint;
  /** Of the ledger's sum: charges whose client has not got the end of the answer. */
  cut: bigint;
  /** Of the ledger's sum: charges that go by our own count, because the provider's was not to be had. */
  counted: bigint;
  calls: number;
  answered: number;
}

export interface Evidence {
  journal: readonly JournalEntry[];
  records: readonly StubRecord[];
  /** Video tasks that their client saw succeed. */
  videos?: readonly string[];
  /** A call may reach the provider again, through another channel. */
  mayRepeat?: boolean;
}

/** Waits until nothing is held any more; throws where the four do not agree. */
export async function reconcile(settings: StoreSettings, evidence: Evidence, timeoutMs = 120_000): Promise<Sums> {
  await untilNoOpenHold(settings, timeoutMs);
  const books = await readBooks(settings);
  checkBooks(books);
  const answered = checkJournal(books, evidence.journal);
  if (evidence.mayRepeat !== true) checkUpstream(books, evidence.records);
  return addUp(books, evidence, answered);
}

function addUp(books: Books, { journal, records, videos = [] }: Evidence, answered: number): Sums {
  const settles = books.entries.filter(({ kind }) => kind === 'settle');
  const ledger = sum(settles.map(({ amount }) => amount));
  const credits = sum(books.entries.filter(({ kind }) => kind === 'credit').map(({ amount }) => amount));
  const balances = credits - sum(books.accounts.map(({ balance }) => balance));
  assert.equal(ledger, balances, 'settles = credits - balances');

  const reported = new Map(records.map(({ maxTokens, usage }) => [maxTokens, usage]));
  const callOf = new Map(books.holds.map(({ id, amount }) => [id, Number(amount / NANO_PER_TOKEN.output)]));
  let [upstream, counted] = [0n, 0n];
  for (const { hold_id, task_id, amount, usage_source } of settles) {
    if (task_id !== null) {
      upstream += amount;
      continue;
    }
    const usage = reported.get(callOf.get(hold_id ?? ''));
    if (usage_source === 'upstream' && usage !== undefined) {
      assert.equal(amount, priceOf(usage), `charge of ${hold_id} = usage that the provider reported`);
      upstream += amount;
    } else counted += amount;
  }
  assert.equal(ledger, upstream + counted, 'settles = reported by the provider + counted here');

  const whole = journal.filter(({ status, complete }) => status === 200 && complete);
  const seen = new Set<string | null | undefined>([...whole.map(({ requestId }) => requestId), ...videos]);
  const made = settles.filter(({ task_id }) => task_id !== null && seen.has(task_id));
  const client =
    sum(whole.flatMap(({ usage }) => (usage === undefined ? [] : [priceOf(usage)]))) +
    sum(made.map(({ amount }) => amount));
  const cut = sum(
    settles.filter(({ request_id, task_id }) => !seen.has(request_id ?? task_id)).map(({ amount }) => amount),
  );
  assert.equal(client + cut, ledger, 'read whole + cut off = settles');
  return { client, upstream, ledger, balances, cut, counted, calls: journal.length, answered };
}

/** The charge of one call in whole output tokens, and who counted them. */
export function outputCharged(books: Books, requestId: string): number {
  const [amount = 0n] = settlesOf(books, requestId);
  return Number(amount / NANO_PER_TOKEN.output);
}
