// From a plan to its end: shown only, or asked about, carried out and checked against the sums.
import { ask } from '../ask.ts';
import { printJson } from '../output.ts';
import { Progress } from '../progress.ts';
import { Refused } from '../refused.ts';
import { applyImport } from './apply-import.ts';
import type { ImportPlan } from './import-plan.ts';
import { planRows, printCounts, printHistory, printNotTaken, printPlan, printSums, sumsOf } from './report.ts';

export interface RunOptions {
  dryRun?: boolean;
  yes?: boolean;
  json?: boolean;
}

export async function runImport(plan: ImportPlan, { dryRun, yes, json }: RunOptions): Promise<void> {
  const facts = { program: plan.program, not_taken: plan.notTaken, history: plan.history };
  if (dryRun === true) {
    if (json === true) return printJson({ dry_run: true, ...facts, ...planRows(plan), sums: sumsOf(plan, undefined) });
    printPlan(plan);
    printNotTaken(plan.notTaken);
    printHistory(plan);
    printSums(plan, undefined);
    process.stdout.write('\nNothing was changed: this was a dry run.\n');
    return undefined;
  }
  if (yes !== true) await ask(question(plan));
  const progress = new Progress('import');
  const outcome = await applyImport(plan, (done, of) => progress.show((100 * done) / of, `${done} of ${of}`)).finally(
    () => progress.end(),
  );
  const notTaken = [...plan.notTaken, ...outcome.left];
  const sums = sumsOf(plan, outcome);
  if (json === true) {
    const { made, kept, refused } = outcome;
    printJson({ dry_run: false, ...facts, not_taken: notTaken, made, kept, refused, sums });
  } else {
    printNotTaken(notTaken);
    printHistory(plan);
    printCounts(outcome);
    printSums(plan, outcome);
  }
  if (sums.expected !== sums.after)
    throw new Refused(
      `the sums differ: ${sums.expected} expected, ${sums.after ?? ''} credited. See what was not taken over.`,
    );
  return undefined;
}

function question({ program, accounts, tokens, channels, models }: ImportPlan): string {
  return `Import ${accounts.length} accounts, ${tokens.length} tokens, ${channels.length} channels and ${models.length} models of ${program}?`;
}
