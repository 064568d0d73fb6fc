// The benchmark: no relay, nginx as a bare proxy, Tollgate step by step up to everything on, and its peers, side by side in
// one interleaved run on loopback. Prints one table beside the budget; only failed requests make it exit with 1.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { LoadGenerator } from './load/load-generator.ts';
import { type Options, readOptions, usage } from './options.ts';
import { StartedProcesses } from './processes/started.ts';
import { runProfiles } from './profile/run-profiles.ts';
import { listRelays } from './relays/list.ts';
import type { RunningRelay } from './relays/relay.ts';
import { writeDocument, writeDoubts } from './report/document.ts';
import { collectFacts, writeFacts } from './report/facts.ts';
import { tellFailures } from './report/failures.ts';
import { Figures } from './report/figures.ts';
import { judgeAll, tellMisses } from './report/judge.ts';
import { writeTable } from './report/table.ts';
import type { RowContext } from './rows/row.ts';
import { LoadPhases } from './rows/load-phases.ts';
import { runRounds } from './run-rounds.ts';
import { startUpstream } from './upstream/start-upstream.ts';

function say(progress: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${progress}`);
  else if (progress !== '') process.stderr.write(`${progress.trimEnd()}\n`);
}

async function startRelays(options: Options, processes: StartedProcesses, notes: string[]): Promise<RunningRelay[]> {
  const upstreamPort = await startUpstream(processes, options.upstreamPort);
  const running: RunningRelay[] = [];
  for (const relay of listRelays(options)) {
    say(`starting ${relay.name}`);
    const started = await relay.start({ processes, upstreamPort, notes, say });
    if ('leftOut' in started) {
      say(`${started.leftOut}\n`);
      notes.push(started.leftOut);
    } else running.push(started);
  }
  return running;
}

function report(context: RowContext, around: { pinned: boolean; loadBefore: number }): void {
  const { relays, load, figures, phases, options, notes, gaps } = context;
  const facts = collectFacts(options, relays, { ...around, phases });
  const names = relays.map((relay) => relay.name);
  console.log(`${writeFacts(facts)}\n\n${writeTable(figures, names, options)}\n`);
  for (const { name, does } of relays) console.log(`${name} per request: ${does}.`);
  const misses = tellMisses(judgeAll(figures, options.rows));
  for (const note of [...notes, ...gaps, ...misses, ...writeDoubts({ options, facts })]) console.log(note);
  const { outcome, details, isBad } = tellFailures(load, relays);
  console.log([outcome, ...details].join('\n'));
  if (isBad) process.exitCode = 1;
  if (options.jsonFile !== undefined) {
    const content = {
      facts,
      options: { ...options, addresses: names },
      notes,
      gaps,
      figures,
      outcome,
      details,
    };
    writeFileSync(options.jsonFile, `${JSON.stringify(content, null, 2)}\n`);
  }
  if (options.document !== undefined) {
    const before = existsSync(options.document) ? readFileSync(options.document, 'utf8') : undefined;
    const content = {
      facts,
      figures,
      relays,
      options,
      gaps,
      notes: [...notes, ...details],
      outcome,
    };
    writeFileSync(options.document, writeDocument(content, before));
    console.log(`Written: ${options.document}`);
  }
}

async function runBenchmark(options: Options, processes: StartedProcesses): Promise<void> {
  const [loadBefore = 0] = loadavg();
  const notes: string[] = [];
  const load = new LoadGenerator(processes);
  await load.start();
  const relays = await startRelays(options, processes, notes);
  if (relays.length === 0)
    throw new Error('no relay is left to measure; --relays chooses others, and without --no-fetch peers are fetched');
  const context = {
    relays,
    load,
    figures: new Figures(),
    phases: new LoadPhases(),
    options,
    notes,
    gaps: [],
    processes,
  };
  if (options.profile) {
    await runProfiles(context, say);
    return;
  }
  const startedAt = performance.now();
  await runRounds(context, { say, check: () => processes.requireAll() });
  notes.push(`The run took ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes.`);
  say('');
  report(context, { pinned: processes.pinned, loadBefore });
}

function readCommandLine(): Options | undefined {
  const paths = {
    server: fileURLToPath(new URL('../../dist/server/src/main.js', import.meta.url)),
    document: fileURLToPath(new URL('../../docs/benchmarks.md', import.meta.url)),
  };
  try {
    const options = readOptions(process.argv.slice(2), paths);
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
