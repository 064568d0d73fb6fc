// The benchmark: Tollgate with everything on, nginx as a bare proxy and no relay at all, side by side in one interleaved
// run on loopback. Prints one table beside the budget; only failed requests, never slow ones, make it exit with 1.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LoadGenerator } from './load/load-generator.ts';
import { type Options, readOptions, usage } from './options.ts';
import { StartedProcesses } from './processes/started.ts';
import { listRelays } from './relays/list.ts';
import type { RunningRelay } from './relays/relay.ts';
import { collectFacts, writeFacts } from './report/facts.ts';
import { Figures } from './report/figures.ts';
import { budgetNote } from './report/measures.ts';
import { writeTable } from './report/table.ts';
import { runRounds } from './run-rounds.ts';
import { startUpstream } from './upstream/start-upstream.ts';

function say(progress: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${progress}`);
  else if (progress !== '') process.stderr.write(`${progress}\n`);
}

async function startRelays(options: Options, processes: StartedProcesses, notes: string[]): Promise<RunningRelay[]> {
  const upstreamPort = await startUpstream(processes);
  const running: RunningRelay[] = [];
  for (const relay of listRelays(options)) {
    say(`starting ${relay.name}`);
    const started = await relay.start({ processes, upstreamPort, notes });
    if ('leftOut' in started) notes.push(started.leftOut);
    else running.push(started);
  }
  return running;
}

function tellFailures(load: LoadGenerator): void {
  if (load.failures.size === 0) {
    console.log(`${load.requests} requests, none failed.`);
    return;
  }
  const total = [...load.failures.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `\n!!! ${total} REQUESTS FAILED, ${load.requests} succeeded: THE FIGURES ABOVE ARE NOT TO BE TRUSTED !!!`,
  );
  for (const [reason, count] of load.failures) console.log(`    ${count} x ${reason}`);
  process.exitCode = 1;
}

async function runBenchmark(options: Options, processes: StartedProcesses): Promise<void> {
  const notes: string[] = [];
  const figures = new Figures();
  const load = new LoadGenerator(processes);
  await load.start();
  const relays = await startRelays(options, processes, notes);
  const facts = collectFacts(options, relays, processes.pinned);
  await runRounds({ relays, load, figures, options, notes, processes }, { say, check: () => processes.requireAll() });
  say('');
  const names = relays.map((relay) => relay.name);
  console.log(`${writeFacts(facts)}\n\n${writeTable(figures, names, options.only)}\n`);
  for (const note of [...notes, budgetNote]) console.log(note);
  tellFailures(load);
  if (options.jsonFile !== undefined) {
    const failures = Object.fromEntries(load.failures);
    const content = { facts, options, notes, figures, requests: load.requests, failures };
    writeFileSync(options.jsonFile, `${JSON.stringify(content, null, 2)}\n`);
  }
}

function readCommandLine(): Options | undefined {
  const ownServer = fileURLToPath(new URL('../../dist/server/src/main.js', import.meta.url));
  try {
    const options = readOptions(process.argv.slice(2), ownServer);
    if (options === undefined) console.log(usage);
    return options;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exitCode = 2;
    return undefined;
  }
}

const options = readCommandLine();
if (options !== undefined) {
  const processes = new StartedProcesses();
  process.on('exit', () => processes.endNow());
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    process.on(signal, () => process.exit(code));
  }
  try {
    await runBenchmark(options, processes);
  } catch (error) {
    console.error(`\nbench: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  } finally {
    await processes.endAll();
  }
}
