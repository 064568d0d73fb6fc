// Read the settings, start the gateway, say what to do next, stop cleanly.
import cluster from 'node:cluster';
import { type Config, ConfigError, readConfig } from './start/config.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { type SandboxProvider, startSandbox } from './sandbox/server.ts';
import { giveBackMemory } from './shared/runtime/give-back-memory.ts';
import { keepCodeWarm } from './shared/runtime/keep-code-warm.ts';
import { onSignals, Stops } from './shared/stops.ts';
import { refuseTakenPort } from './shared/taken-port.ts';
import { type Logger, makeLogger } from './telemetry/logger.ts';
import { redactText } from './telemetry/redact.ts';
import { welcomeOfWorkers, welcomeOrFile } from './start/welcome.ts';
import { PrimaryLink } from './workers/primary-link.ts';
import { Primary } from './workers/primary.ts';

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
    const stops = new Stops({ withParent: config.startedByNpm });
    if (config.workers > 1) await startWorkers(config, logger, { exit, stops });
    else await startAlone(config, logger, { exit, stops });
  }
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  const hint = code === 'EADDRINUSE' ? 'PORT is taken by another program; set PORT to a free one. ' : '';
  console.error(`tollgate: ${hint}${redactText(message)}`);
  if (!(error instanceof ConfigError) && code === undefined) console.error(redactText((error as Error).stack ?? ''));
  process.exit(1);
}

interface Ends {
  exit(code: number): void;
  stops: Stops;
}

async function startAlone(config: Config, logger: Logger, { exit, stops }: Ends): Promise<void> {
  const gateway = await startGateway(config, logger);
  const stop = stopper(gateway, logger, exit);
  stops.onStop = stop;
  process.on('SIGHUP', stop);
  // Last, because a reader of the ready line may stop it the next moment.
  process.stdout.write(welcomeOrFile(gateway, config));
  giveBackMemory();
  keepCodeWarm({ isServing: () => gateway.openRequests() > 0 });
}

/** The primary: one sandbox for all its workers, which outlives each of them. */
async function startWorkers(config: Config, logger: Logger, { exit, stops }: Ends): Promise<void> {
  await refuseTakenPort(config);
  const sandbox = config.sandbox ? await startSandbox({ callbackHosts: config.privateHosts }) : undefined;
  const primary = new Primary({
    workers: config.workers,
    sandbox: sandbox?.baseUrls(),
    onWelcome: (text) => process.stdout.write(text + welcomeOfWorkers(config.workers, process.pid)),
    onNews: (facts, words) => logger.warn(facts, words),
    onStopped: exit,
  });
  stops.onStop = () => primary.stop();
  process.on('SIGHUP', () => primary.changeWorkers());
  primary.start();
}

async function startWorker(config: Config, logger: Logger, exit: (code: number) => void): Promise<void> {
  process.on('SIGHUP', () => {}); // meant for the primary, also where the whole group gets it
  const link = new PrimaryLink();
  const { slot, sandbox } = await link.receiveOrders();
  const others = {
    slot,
    workers: config.workers,
    sandboxUrl: sandbox === undefined ? undefined : (provider: SandboxProvider) => sandbox[provider],
    allMetrics: () => link.allMetrics(),
    refreshAll: () => link.refreshAll(),
  };
  const gateway = await startGateway(config, logger, { others });
  const leave = (code = 0): void => void link.farewell().finally(() => exit(code));
  onSignals(stopper(gateway, logger, leave));
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

function stopper(gateway: Gateway, logger: Logger, onStopped: (code: number) => void): () => void {
  let isStopping = false;
  return () => {
    if (isStopping) return;
    isStopping = true;
    void gateway.stop().then(
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
