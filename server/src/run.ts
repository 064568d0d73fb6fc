// Read the settings, start the gateway, say what to do next, stop cleanly.
import cluster from 'node:cluster';
import { type Config, readConfig } from './start/config.ts';
import { ConfigError } from './start/settings/config-error.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type SandboxProvider, startSandbox } from './sandbox/server.ts';
import { ClusterListener } from './shared/runtime/cluster-listener.ts';
import { giveBackMemory } from './shared/runtime/give-back-memory.ts';
import { keepCodeWarm } from './shared/runtime/keep-code-warm.ts';
import { onSignals, ShutdownSignals } from './shared/shutdown-signals.ts';
import { refuseTakenPort } from './shared/taken-port.ts';
import { type Logger, makeLogger } from './telemetry/logger.ts';
import { redactText } from './telemetry/redact.ts';
import { settingProblems } from './start/setting-problems.ts';
import { BACKLOG } from './start/start-server.ts';
import { HandOver } from './start/hand-over.ts';
import { takeOver } from './start/take-over.ts';
import { welcomeOfWorkers, welcomeOrFile } from './start/welcome.ts';
import { PrimaryLink } from './workers/primary-link.ts';
import { Primary } from './workers/primary.ts';

/** In the place of the process that serves the port, without a gap. */
const takesOver = process.argv.includes('--take-over');
const PORT_TAKEN =
  'PORT is taken by another program; set PORT to a free one, or start with --take-over to replace a gateway that runs. ';
/** Connections that the primary has accepted are with its workers by then. */
const QUEUE_MS = 1_000;

process.stdout.on('error', () => {}); // a full disk behind it is no reason to end

try {
  const config = readConfig(process.env);
  const { logger, flush } = makeLogger(config.logLevel);
  const exit = (code: number): void => {
    void flush().then(() => process.exit(code));
  };
  if (cluster.isWorker) {
    await startWorker(config, logger, exit);
  } else {
    const signals = new ShutdownSignals({ withParent: config.startedByNpm });
    if (config.workers > 1) await startWorkers(config, logger, { exit, signals });
    else await startAlone(config, logger, { exit, signals });
  }
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  const hint = code === 'EADDRINUSE' ? PORT_TAKEN : '';
  // All at once: else an operator mends one and meets the next.
  const settings = error instanceof ConfigError ? settingProblems(process.env) : [];
  for (const sentence of settings.length > 0 ? settings : [`${hint}${message}`])
    console.error(`tollgate: ${redactText(sentence)}`);
  if (!(error instanceof ConfigError) && code === undefined) console.error(redactText((error as Error).stack ?? ''));
  process.exit(1);
}

interface Ends {
  exit(code: number): void;
  signals: ShutdownSignals;
}

async function startAlone(config: Config, logger: Logger, { exit, signals }: Ends): Promise<void> {
  const taken = takesOver ? await takeOver(config) : undefined;
  const gateway = await startGateway(config, logger, taken && { listener: { handle: taken.listener } });
  const stop = stopper(gateway, logger, exit);
  const handOver = new HandOver({
    settings: config,
    logger,
    listener: gateway.listener,
    onRelieved: () => stop({ isRelieved: true }),
  });
  signals.onStop = () => (handOver.close(), stop());
  process.on('SIGHUP', () => signals.onStop());
  await taken?.ready();
  await handOver.open();
  // Last, because a reader of the ready line may stop it the next moment.
  process.stdout.write(welcomeOrFile(gateway, config));
  giveBackMemory();
  keepCodeWarm({ isServing: () => gateway.openRequests() > 0 });
}

/** The primary: one sandbox for all its workers, which outlives each of them. */
async function startWorkers(config: Config, logger: Logger, { exit, signals }: Ends): Promise<void> {
  const taken = takesOver ? await takeOver(config) : undefined;
  if (taken === undefined) await refuseTakenPort(config);
  const sandbox = config.sandbox ? await startSandbox({ callbackHosts: config.privateHosts }) : undefined;
  const listener = new ClusterListener({ port: config.port, fd: taken?.listener.fd, backlog: BACKLOG });
  const handOver = new HandOver({
    settings: config,
    logger,
    listener: () => listener.handle,
    onRelieved() {
      listener.close();
      setTimeout(() => primary.retire(), QUEUE_MS);
    },
  });
  const primary = new Primary({
    workers: config.workers,
    sandbox: sandbox?.baseUrls(),
    listenFd: taken?.listener.fd,
    onAllReady: () => void (taken?.ready() ?? Promise.resolve()).then(() => handOver.open()),
    onWelcome: (text) => process.stdout.write(text + welcomeOfWorkers(config.workers, process.pid)),
    onNews: (facts, words) => logger.warn(facts, words),
    onStopped: exit,
  });
  signals.onStop = () => (handOver.close(), primary.stop());
  process.on('SIGHUP', () => primary.changeWorkers());
  primary.start();
}

async function startWorker(config: Config, logger: Logger, exit: (code: number) => void): Promise<void> {
  process.on('SIGHUP', () => {}); // meant for the primary, also where the whole group gets it
  const link = new PrimaryLink();
  const { slot, sandbox, listenFd } = await link.receiveOrders();
  const others = {
    slot,
    workers: config.workers,
    sandboxUrl: sandbox === undefined ? undefined : (provider: SandboxProvider) => sandbox[provider],
    allMetrics: () => link.allMetrics(),
    refreshAll: () => link.refreshAll(),
  };
  const listener = listenFd === undefined ? undefined : { fd: listenFd };
  const gateway = await startGateway(config, logger, { others, ...(listener && { listener }) });
  const leave = (code = 0): void => void link.farewell().finally(() => exit(code));
  const stop = stopper(gateway, logger, leave);
  onSignals(() => stop());
  link.ready(welcomeOrFile(gateway, config), {
    series: () => gateway.series(),
    refresh: () => gateway.refresh(),
    onRetire: () =>
      void gateway.stop(undefined, { isRelieved: true }).then(
        () => leave(),
        () => leave(1), // the log has it
      ),
  });
  giveBackMemory();
  keepCodeWarm({ isServing: () => gateway.openRequests() > 0 });
}

function stopper(
  gateway: Gateway,
  logger: Logger,
  onStopped: (code: number) => void,
): (how?: { isRelieved: boolean }) => void {
  let isStopping = false;
  return (how) => {
    if (isStopping) return;
    isStopping = true;
    void gateway.stop(undefined, how).then(
      () => {
        logger.info('stopped');
        onStopped(0);
      },
      (error: unknown) => {
        logger.error({ error }, 'the gateway could not stop cleanly');
        onStopped(1);
      },
    );
  };
}
