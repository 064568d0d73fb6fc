// `npm run reconcile`: checks the books of the database that the settings name, and ends with 1 when they do not agree.
// Amounts are nano-units. May run beside a gateway; it changes nothing.
import { BOOK_CHECKS, type BookProblem, countOf, reconcile } from './billing/reconcile.ts';
import { ConfigError, readConfig } from './config.ts';
import { openStore } from './store/store.ts';

const QUESTIONS = {
  account: 'accounts whose grants are not balance + held + spent',
  token: 'tokens whose sums are not those of ledger and holds',
  hold: 'holds that did not end exactly once',
  overdue: 'holds open past their end',
} as const;

try {
  const store = await openStore(readConfig(process.env));
  let problems: BookProblem[];
  try {
    problems = await reconcile(store);
  } finally {
    await store.close();
  }
  const counts = countOf(problems);
  for (const check of BOOK_CHECKS) process.stdout.write(`${String(counts[check]).padStart(4)}  ${QUESTIONS[check]}\n`);
  for (const { check, id, detail } of problems) process.stderr.write(`${check} ${id}: ${detail}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  const { message, stack } = error as Error;
  process.stderr.write(`${error instanceof ConfigError ? message : stack}\n`);
  process.exitCode = 2;
}
