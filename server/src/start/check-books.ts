// Checks the books of the database that the settings name, for `npm run reconcile` and `tollgate reconcile`. For scripts
// amounts are nano-units. May run beside a gateway; it makes and changes nothing.
import { join } from 'node:path';
import { BOOK_CHECKS, type BookProblem, type BooksRead, countOf, readBooks, reconcile } from '../billing/reconcile.ts';
import { StoreMissing } from '../store/migrations/migrate.ts';
import { openExistingStore, type StoreSettings } from '../store/open-store.ts';
import { formatAmount } from '../billing/money.ts';
import { readConfig } from './config.ts';

const QUESTIONS = {
  account: 'accounts whose grants are not balance + held + spent',
  token: 'tokens whose sums are not those of ledger and holds',
  hold: 'holds that did not end exactly once',
  overdue: 'holds open past their end',
} as const;

export interface BooksReport {
  outcome: 'agree' | 'disagree' | 'nothing to check';
  /** For people, each line ended. */
  text: string;
  /** For scripts; amounts as text, in nano-units. */
  facts: { store: string; read: Record<string, string>; problems: BookProblem[]; error?: string };
  /** What is wrong, in one sentence. */
  problem?: string;
}

export async function checkBooks(environment: NodeJS.ProcessEnv): Promise<BooksReport> {
  const settings = readConfig(environment);
  const store = nameOf(settings);
  try {
    const { books, problems } = await checkStore(settings);
    const facts = { store, read: asText(books), problems };
    const text = `store: ${store}\n${describe(books)}`;
    if (books.accounts === 0 && books.entries === 0) {
      const problem = 'There is nothing to check: the store has no account and no entry of the ledger.';
      return { outcome: 'nothing to check', text, facts: { ...facts, error: problem }, problem };
    }
    const found = text + describeProblems(problems);
    if (problems.length === 0) return { outcome: 'agree', text: found, facts };
    const problem = problems.map(({ check: kind, id, detail }) => `${kind} ${id}: ${detail}`).join('\n');
    return { outcome: 'disagree', text: found, facts, problem };
  } catch (error) {
    if (!(error instanceof StoreMissing)) throw error;
    const problem = `There is nothing to check: ${error.message}.`;
    return {
      outcome: 'nothing to check',
      text: `store: ${store}\n`,
      facts: { store, read: {}, problems: [], error: problem },
      problem,
    };
  }
}

export async function checkStore(settings: StoreSettings): Promise<{ books: BooksRead; problems: BookProblem[] }> {
  const store = await openExistingStore(settings);
  try {
    return { books: await readBooks(store), problems: await reconcile(store) };
  } finally {
    await store.close();
  }
}

/** Without user and password. */
export function nameOf({ databaseUrl, dataFolder }: StoreSettings): string {
  if (databaseUrl === undefined) return `SQLite, ${join(dataFolder, 'tollgate.db')}`;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}

function describe({ accounts, tokens, entries, holds, ...sums }: BooksRead): string {
  return (
    `read: ${accounts} accounts, ${tokens} tokens, ${entries} ledger entries, ${holds} open holds\n` +
    `sums: ${sumsOf(sums)}\n`
  );
}

/** The four sums for people, in the operator's currency. */
export function sumsOf(sums: Readonly<Record<string, bigint | string>>): string {
  const names = ['granted', 'balance', 'held', 'spent'];
  return names.map((name) => `${name} ${formatAmount(BigInt(sums[name] ?? 0))}`).join(', ');
}

function describeProblems(problems: readonly BookProblem[]): string {
  const counts = countOf(problems);
  return BOOK_CHECKS.map((kind) => `${String(counts[kind]).padStart(4)}  ${QUESTIONS[kind]}\n`).join('');
}

export function asText(books: BooksRead): Record<string, string> {
  return Object.fromEntries(Object.entries(books).map(([name, value]) => [name, String(value)]));
}
