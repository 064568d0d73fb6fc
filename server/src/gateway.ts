// The wiring: starts every part of a gateway in order, and stops them in reverse order. The parts are in start/.
import type { Sandbox } from './sandbox/server.ts';
import type { NodeHandle } from './shared/runtime/handle-pipe.ts';
import { refuseTakenPort } from './shared/taken-port.ts';
import type { Config } from './start/config.ts';
import type { FirstStart } from './start/first-start.ts';
import { followChanges } from './start/follow-changes.ts';
import { makeAdmission } from './start/make-admission.ts';
import { makeAlerts } from './start/make-alerts.ts';
import { makeBatches } from './start/make-batches.ts';
import { makeTasks } from './start/make-tasks.ts';
import { openClients } from './start/open-clients.ts';
import { openData } from './start/open-data.ts';
import { openFiles } from './start/open-files.ts';
import { openRateLimits } from './start/open-rate-limits.ts';
import { openTelemetry } from './start/open-telemetry.ts';
import { readMetrics } from './start/read-metrics.ts';
import {
  type Listener,
  makeContext,
  type Replacements,
  type StartContext,
  type Surroundings,
} from './start/start-context.ts';
import { makeExport } from './start/start-export.ts';
import { startMoney } from './start/start-money.ts';
import { startRelay } from './start/start-relay.ts';
import { startRetention } from './start/start-retention.ts';
import { startRouting } from './start/start-routing.ts';
import { startServer } from './start/start-server.ts';
import type { Logger } from './telemetry/logger.ts';
import type { MetricSeries } from './workers/messages.ts';

export type { Replacements, Surroundings } from './start/start-context.ts';

export interface Gateway {
  /** http://host:port */
  address: string;
  firstStart: FirstStart | undefined;
  sandbox: Sandbox | undefined;
  /** The series of this process alone. */
  series(): Promise<MetricSeries>;
  /** Resolves when this process knows what operators have changed before the call. */
  refresh(): Promise<void>;
  /** Public requests under way. */
  openRequests(): number;
  /** The listening socket, for a process that takes over. */
  listener(): NodeHandle | undefined;
  /**
   * Lets running requests end (up to graceMs), then stops everything. `isRelieved`: another process serves the same port,
   * so a request that still arrives over an open connection is served, and asked to come back over a new one.
   */
  stop(graceMs?: number, options?: { isRelieved?: boolean }): Promise<void>;
}

const GRACE_MS = 120_000;

/** A start that fails stops what it had started. */
export async function startGateway(
  config: Config,
  logger: Logger,
  options: { others?: Surroundings; listener?: Listener } & Replacements = {},
): Promise<Gateway> {
  // Before anything is made: the secrets of a first start are shown only once, and only by a start that succeeds.
  if (options.others === undefined && options.listener === undefined) await refuseTakenPort(config);
  const context = makeContext(config, logger, options);
  try {
    return await startParts(context);
  } catch (error) {
    await context.started.stopAfterFailure();
    throw error;
  }
}

/** In this order: a part uses only those above it, and is stopped before them. */
async function startParts(context: StartContext): Promise<Gateway> {
  const data = await openData(context);
  const clients = openClients(context);
  const telemetry = await openTelemetry(context);
  const rateLimits = await openRateLimits(context, telemetry);
  const changes = await followChanges(context, { ...data, ...telemetry });
  const money = await startMoney(context, { ...data, ...telemetry });
  const kept = startRetention(context, data);
  const files = await openFiles(context, data);
  const routing = await startRouting(context, { ...data, ...clients, ...changes });
  const ofCalls = { ...data, ...clients, ...telemetry, ...rateLimits, ...changes, ...money, ...routing };
  const relay = startRelay(context, ofCalls);
  const tasks = makeTasks(context, ofCalls);
  const admitting = makeAdmission(context, { ...telemetry, ...relay });
  const batches = makeBatches(context, { ...ofCalls, ...kept, ...files, ...relay, ...tasks, ...admitting });
  const alerts = makeAlerts(context, ofCalls);
  const exporting = makeExport(context, { ...data, ...telemetry });
  const beside = {
    ...ofCalls,
    ...kept,
    ...files,
    ...relay,
    ...tasks,
    ...batches,
    ...alerts,
    ...admitting,
    ...exporting,
  };
  const reader = readMetrics(context, beside);
  const server = await startServer(context, { ...beside, ...reader });
  tasks.engine.start();
  batches.batchEngine.start();
  alerts.startAlerts();
  exporting.startExport();

  let stopped: Promise<void> | undefined;
  return {
    address: server.address,
    firstStart: data.firstStart,
    sandbox: data.sandbox,
    openRequests: () => admitting.admission.open,
    listener: server.listener,
    refresh: () => changes.watch.poll(),
    async series() {
      if (stopped === undefined) await reader.takeMetrics(); // the store may be closed by now
      return telemetry.metrics.registry.getMetricsAsJSON();
    },
    async stop(graceMs = GRACE_MS, { isRelieved = false } = {}) {
      if (isRelieved) {
        telemetry.metrics.worker = 'retiring';
        server.relieve();
      } else server.drain();
      stopped ??= context.started.stop(graceMs);
      await stopped;
    },
  };
}
