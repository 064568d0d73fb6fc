// What every part of a start is given: the settings, the log, the clocks, and where to say what must be stopped.
import type { SandboxProvider } from '../sandbox/server.ts';
import { type Clock, steadyClock, systemClock } from '../shared/clock.ts';
import { makeId } from '../shared/ids.ts';
import type { NodeHandle } from '../shared/runtime/handle-pipe.ts';
import { openStore } from '../store/open-store.ts';
import { ThrottledErrors } from '../telemetry/throttled-errors.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Config } from './config.ts';
import { StartedParts } from './started-parts.ts';

/** What a worker has of others; a process alone has it all itself. */
export interface Surroundings {
  slot: number;
  workers: number;
  /** Of the one sandbox that all share; undefined = off. */
  sandboxUrl: ((provider: SandboxProvider) => string) | undefined;
  /** Prometheus text of all workers. */
  allMetrics(): Promise<string>;
  /** Resolves when every other worker knows what operators have changed. */
  refreshAll(): Promise<void>;
}

/** A port that listens already: the socket itself, or where the primary has it. */
export type Listener = { handle: NodeHandle } | { fd: number };

/** What tests of faults put in the place of the real thing. */
export interface Replacements {
  clock?: Clock;
  steadyClock?: Clock;
  openStore?: typeof openStore;
}

export interface StartContext {
  config: Config;
  logger: Logger;
  /** For errors of work that is tried again. */
  errors: ThrottledErrors;
  clock: Clock;
  steady: Clock;
  openStore: typeof openStore;
  others: Surroundings | undefined;
  /** Of the process that is replaced; undefined: the port of the settings is taken. */
  listener: Listener | undefined;
  /** This process, as others know it. */
  processId: string;
  started: StartedParts;
}

export function makeContext(
  config: Config,
  logger: Logger,
  { others, listener, ...replaced }: { others?: Surroundings; listener?: Listener } & Replacements,
): StartContext {
  const steady = replaced.steadyClock ?? steadyClock;
  return {
    config,
    logger,
    errors: new ThrottledErrors(logger, steady),
    clock: replaced.clock ?? systemClock,
    steady,
    openStore: replaced.openStore ?? openStore,
    others,
    listener,
    processId: makeId('proc'),
    started: new StartedParts(logger),
  };
}
