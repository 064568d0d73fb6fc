// `npm run reconcile`: checks the books of the database that the settings name. Ends with 1 when they do not agree, with 2
// when there is nothing to check. Amounts are nano-units. May run beside a gateway; it makes and changes nothing.
import { join } from 'node:path';
import { BOOK_CHECKS, type BookProblem, type BooksRead, countOf, readBooks, reconcile } from '../billing/reconcile.ts';
import { ConfigError, readConfig } from './config.ts';
import { StoreMissing } from '../store/migrations/migrate.ts';
import { openExistingStore, type StoreSettings } from '../store/store.ts';

const QUESTIONS = {
  account: 'accounts whose grants are not balance + held + spent',
  token: 'tokens whose sums are not those of ledger and holds',
  hold: 'holds that did not end exactly once',
  overdue: 'holds open past their end',
} as const;

try {
  const settings = readConfig(process.env);
  process.stdout.write(`store: ${nameOf(settings)}\n`);
  const { books, problems } = await check(settings);
  process.stdout.write(describe(books));
  if (books.accounts === 0 && books.entries === 0) {
    process.stderr.write('There is nothing to check: the store has no account and no entry of the ledger.\n');
    process.exitCode = 2;
  } else {
    tell(problems);
    process.exitCode = problems.length === 0 ? 0 : 1;
  }
} catch (error) {
  const { message, stack } = error as Error;
  if (error instanceof StoreMissing) process.stderr.write(`There is nothing to check: ${message}.\n`);
  else process.stderr.write(`${error instanceof ConfigError ? message : stack}\n`);
  process.exitCode = 2;
}

async function check(settings: StoreSettings): Promise<{ books: BooksRead; problems: BookProblem[] }> {
  const store = await openExistingStore(settings);
  try {
    return { books: await readBooks(store), problems: await reconcile(store) };
  } finally {
    await store.close();
  }
}

/** Without user and password. */
function nameOf({ databaseUrl, dataFolder }: StoreSettings): string {
  if (databaseUrl === undefined) return `SQLite, ${join(dataFolder, 'tollgate.db')}`;
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}

function describe({ accounts, tokens, entries, holds, granted, balance, held, spent }: BooksRead): string {
  return (
    `read: ${accounts} accounts, ${tokens} tokens, ${entries} ledger entries, ${holds} open holds\n` +
    `sums: granted ${granted}, balance ${balance}, held ${held}, spent ${spent}\n`
  );
}

function tell(problems: readonly BookProblem[]): void {
  const counts = countOf(problems);
  for (const check of BOOK_CHECKS) process.stdout.write(`${String(counts[check]).padStart(4)}  ${QUESTIONS[check]}\n`);
  for (const { check, id, detail } of problems) process.stderr.write(`${check} ${id}: ${detail}\n`);
}
