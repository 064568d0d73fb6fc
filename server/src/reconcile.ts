// `npm run reconcile`: checks the books of the database that the settings name, and ends with 1 when they do not agree.
// Amounts are nano-units. May run beside a gateway; it changes nothing.
import { BOOK_CHECKS, countOf, reconcile } from './billing/reconcile.ts';
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
  const problems = await reconcile(store).finally(() => store.close());
  const counts = countOf(problems);
  for (const check of BOOK_CHECKS) console.log(`${String(counts[check]).padStart(4)}  ${QUESTIONS[check]}`);
  for (const { check, id, detail } of problems) console.error(`${check} ${id}: ${detail}`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 2;
}
