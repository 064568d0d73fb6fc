// One kind of work that is measured, as a list of steps over all relays. A step for one round must finish every relay
// before it returns, which is what makes the run interleaved.
import type { LoadGenerator } from '../load/load-generator.ts';
import type { Options } from '../options.ts';
import type { StartedProcesses } from '../processes/started.ts';
import type { RunningRelay } from '../relays/relay.ts';
import type { Figures } from '../report/figures.ts';
import type { RowName } from '../row-names.ts';
import type { LoadPhases } from './load-phases.ts';
import type { Target } from '../wire/chat-request.ts';

export interface RowContext {
  /** In an order that changes from round to round, so that no relay is always the first. */
  relays: readonly RunningRelay[];
  load: LoadGenerator;
  figures: Figures;
  /** LoadPhases of load are measured through this. */
  phases: LoadPhases;
  options: Options;
  notes: string[];
  /** Figures of other gateways that could not be taken, and why. */
  gaps: string[];
  processes: StartedProcesses;
}

/** One load phase: a relay and where in it the load goes. */
export interface LoadPhase {
  /** What its figures begin with. */
  name: string;
  relay: RunningRelay;
  target: Target;
}

export interface Row {
  name: RowName;
  /** Measured on the steps of the ladder too. */
  hasSteps?: boolean;
  /** Before any load. */
  quiet?: (context: RowContext) => Promise<void>;
  /** Before the first round: who can take part. */
  before?: (context: RowContext) => Promise<void>;
  round?: (context: RowContext) => Promise<void>;
  /** After the last round. */
  after?: (context: RowContext) => Promise<void>;
}

/** Those whose processes are known. */
export function withProcesses(relays: readonly RunningRelay[]): RunningRelay[] {
  return relays.filter(({ pids }) => pids.length > 0);
}
