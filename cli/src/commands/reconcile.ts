// `reconcile` checks the books of the database that the settings name. It makes no database and changes nothing.
import { Command } from 'commander';
import { printJson } from '../output.ts';
import { Refused } from '../refused.ts';

export function reconcileCommand(): Command {
  return new Command('reconcile')
    .description('check the books: store, accounts and entries read, the four sums, and what does not agree')
    .action(async (options: { json?: boolean }) => {
      const { checkBooks } = await import('../../../server/src/start/check-books.ts');
      const report = await checkBooks(process.env);
      if (options.json === true) printJson(report.facts);
      else process.stdout.write(report.text);
      if (report.problem !== undefined) throw new Refused(report.problem);
    });
}
