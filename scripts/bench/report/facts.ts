// What a reader must know of the machine and the run to compare its figures with others.
// The load average is among them because neighbours' work is the first suspect of an odd figure.
import { cpus, release, totalmem, type as systemName } from 'node:os';
import { codeVersion } from '../../code-version.ts';
import type { Options } from '../options.ts';
import type { RunningRelay } from '../relays/relay.ts';
import { disturbedFrom, type LoadPhases } from '../rows/load-phases.ts';

export interface Facts {
  date: string;
  code: string;
  machine: string;
  loadAverage: string;
  node: string;
  relays: string[];
  run: string;
  /** What the machine's host did to it. */
  stolen: string;
}

export function collectFacts(
  options: Options,
  relays: readonly RunningRelay[],
  { pinned, phases, loadBefore }: { pinned: boolean; phases: LoadPhases; loadBefore: number },
): Facts {
  const cores = cpus();
  const gigabytes = (totalmem() / 2 ** 30).toFixed(0);
  const placing = pinned ? 'relay on core 0, load and upstream on core 1' : 'not pinned to cores (no taskset)';
  return {
    date: new Date().toISOString(),
    code: codeVersion() ?? 'unknown',
    machine: `${cores.length} cores (${cores[0]?.model.trim() ?? 'unknown'}), ${gigabytes} GB, ${systemName()} ${release()}`,
    loadAverage: loadBefore.toFixed(2),
    node: process.version,
    relays: relays.map((relay) => relay.version ?? relay.name),
    run: `${options.rounds} rounds of ${options.seconds} s, each after ${options.warmSeconds} s that do not count, interleaved, all after ${options.settleSeconds} s of small chats per relay; ${placing}`,
    stolen: describeStolen(phases),
  };
}

function describeStolen({ isKnown, count, disturbed, worst }: LoadPhases): string {
  if (!isKnown) return 'not known here';
  const [limit, most] = [disturbedFrom, worst].map((share) => (100 * share).toFixed(1));
  return `the host took more than ${limit} % of a core in ${disturbed} of ${count} load phases, at most ${most} %`;
}

export function writeFacts(facts: Facts): string {
  return `Tollgate benchmark, ${facts.date}, code ${facts.code}
  machine  ${facts.machine}, load average before ${facts.loadAverage}
  relays   ${facts.relays.join(', ')}; Node ${facts.node}
  run      ${facts.run}; median, ± half of the way from the least round to the most
  stolen   ${facts.stolen}`;
}
