// `npm run faults`: the fault tests of the promises, on SQLite and on a PostgreSQL that this command brings itself. Prints a
// report; ends with 1 when a promise broke. Everything stays on loopback.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startPostgres } from '../../scripts/postgres.mjs';
import { promisedRounds } from './command/fault.ts';
import { faults } from './command/faults.ts';
import { type Options, readOptions, usage } from './command/options.ts';
import { writeReport } from './command/report.ts';
import { type FaultResult, runFault } from './command/run-fault.ts';
import { writeSoakSection } from './command/soak-section.ts';

const REPORT = fileURLToPath(new URL('../../docs/faults.md', import.meta.url));

function readCommandLine(): Options | undefined {
  try {
    const options = readOptions(process.argv.slice(2), faults);
    if (options === undefined) console.log(usage);
    return options;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function runAll(options: Options): Promise<FaultResult[]> {
  const chosen = faults.filter(({ id, isSoak }) => options.only?.includes(id) ?? isSoak !== true);
  const postgres = options.stores.includes('postgres') ? await startPostgres() : undefined;
  process.once('exit', () => postgres?.endNow());
  const results: FaultResult[] = [];
  try {
    for (const fault of chosen) {
      for (const store of options.stores) {
        if (!fault.stores.includes(store)) continue;
        process.stderr.write(`${fault.id} ${store}: ${fault.title} ... `);
        const result = await runFault(fault, store, { ...options, databaseServer: postgres?.url });
        results.push(result);
        process.stderr.write(`${result.result} (${result.seconds.toFixed(1)} s)\n`);
        if (result.reason !== undefined) process.stderr.write(`  ${result.reason.replaceAll('\n', '\n  ')}\n`);
      }
    }
  } finally {
    await postgres?.stop();
  }
  return results;
}

// So that what was started ends with the command: gateways and databases are ended at its exit.
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code));

const options = readCommandLine();
if (options?.list === true)
  for (const fault of faults)
    console.log(
      `${fault.id}  ${fault.title} (${fault.stores.join(', ')}; ${fault.rounds} rounds, ${promisedRounds(fault)} with --full)`,
    );
else if (options !== undefined) {
  const results = await runAll(options);
  const report = writeReport(results, options.seed);
  console.log(report);
  const figures = results.flatMap((result) => result.figures);
  if (figures.length > 0) console.log(figures.join('\n\n'));
  if (options.write && options.only === undefined) writeFileSync(REPORT, report);
  if (options.write && figures.length > 0)
    writeSoakSection(figures, options.seed, options.isFleet ? 'fleet soak' : 'soak');
  const failed = results.filter(({ result }) => result === 'failed');
  if (failed.length > 0) console.error(`${failed.length} failed; again with --seed ${options.seed}`);
  process.exit(failed.length > 0 ? 1 : 0);
}
