// A gateway inside this process, so that a test can hold its clock and break its queries.
import { readConfig } from '../../../server/src/start/config.ts';
import { type Gateway, type Replacements, startGateway } from '../../../server/src/gateway.ts';
import type { StoreSettings } from '../../../server/src/store/open-store.ts';
import { makeLogger } from '../../../server/src/telemetry/logger.ts';
import { OPERATOR_KEY } from '../gateway-process.ts';

export function startOwnGateway(settings: StoreSettings, replaced: Replacements = {}): Promise<Gateway> {
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    TOLLGATE_DATA_DIR: settings.dataFolder,
    TOLLGATE_SECRET: 'master-secret-of-the-fault-tests',
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    TOLLGATE_SANDBOX: 'off',
    TOLLGATE_TASK_POLL_MS: '100',
    ...(settings.databaseUrl !== undefined && { DATABASE_URL: settings.databaseUrl }),
  });
  const { logger } = makeLogger('silent', { write: () => {} });
  return startGateway(config, logger, replaced);
}
