// Read the settings, start the gateway, say what to do next, stop cleanly.
import cluster from 'node:cluster';
import { runPrimary } from './cluster.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { startGateway } from './gateway.ts';
import { makeLogger } from './telemetry/logger.ts';
import { redactText } from './telemetry/redact.ts';
import { welcome } from './welcome.ts';

process.stdout.on('error', () => {}); // a full disk behind it is no reason to end

try {
  const config = readConfig(process.env);
  if (config.workers > 1 && cluster.isPrimary) startWorkers(config);
  else await startAlone(config);
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  const place = code === 'EADDRINUSE' ? 'PORT is taken by another program; set PORT to a free one. ' : '';
  console.error(`tollgate: ${place}${redactText(message)}`);
  if (!(error instanceof ConfigError) && code === undefined) console.error(redactText((error as Error).stack ?? ''));
  process.exit(1);
}

function startWorkers(config: Config): void {
  const { logger, flush } = makeLogger(config.logLevel);
  runPrimary({
    workers: config.workers,
    onWelcome: (text) => process.stdout.write(text),
    onWorkerDied: (pid) => logger.error({ pid }, 'a worker died and is replaced'),
    onStopped() {
      void flush().then(() => process.exit(0));
    },
  });
}

async function startAlone(config: Config): Promise<void> {
  const { logger, flush } = makeLogger(config.logLevel);
  if (config.redisUrl !== undefined)
    logger.warn('REDIS_URL has no effect yet: processes learn of changes through the database');
  const gateway = await startGateway(config, logger);
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void gateway.stop().then(async () => {
      logger.info('stopped');
      await flush();
      process.exit(0);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (config.startedByNpm) stopWithParent(stop);

  // Last, because whoever reads that it is ready may stop it the next moment.
  const text = welcome(gateway, config);
  if (process.send === undefined) process.stdout.write(text);
  else process.send({ welcome: text });
}

/** npm passes a signal to its shell only, and the shell dies with it alone: a parent that is gone means stop. */
function stopWithParent(stop: () => void): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) stop();
  }, 500).unref();
}
