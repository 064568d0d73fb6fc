// Read the settings, start the gateway, say what to do next, stop cleanly.
import { ConfigError, readConfig } from './config.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { makeLogger } from './telemetry/logger.ts';
import { redactText } from './telemetry/redact.ts';
import { welcome } from './welcome.ts';

try {
  const config = readConfig(process.env);
  const { logger, flush } = makeLogger(config.logLevel);
  const gateway = await startGateway(config, logger);
  process.stdout.write(welcome(gateway, config));
  stopOnSignal(gateway, () => {
    logger.info('stopped');
    flush();
  });
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException;
  const place = code === 'EADDRINUSE' ? 'PORT is taken by another program; set PORT to a free one. ' : '';
  console.error(`tollgate: ${place}${redactText(message)}`);
  if (!(error instanceof ConfigError) && code === undefined) console.error(redactText((error as Error).stack ?? ''));
  process.exit(1);
}

function stopOnSignal(gateway: Gateway, done: () => void): void {
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void gateway.stop().then(() => {
      done();
      process.exit(0);
    });
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
