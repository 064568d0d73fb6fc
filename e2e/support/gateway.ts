// A running gateway for tests: in this process, on a free port, with a data folder of its own and a simulated upstream
// that is not the built-in one, so that what the gateway sends can be read back.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../server/src/start/config.ts';
import { type Gateway, startGateway } from '../../server/src/gateway.ts';
import { type Sandbox, startSandbox } from '../../server/src/sandbox/server.ts';
import { makeLogger } from '../../server/src/telemetry/logger.ts';
import { fillDataFolder, makeMigratedDatabase } from '../../server/src/testing/templates.ts';

export const OPERATOR_KEY = 'operator-key-of-the-tests';
/** Where fresh databases can be made; npm test sets it. */
export const DATABASE_SERVER = process.env['TEST_DATABASE_URL'];
export const NO_DATABASE_SERVER =
  DATABASE_SERVER === undefined ? 'TEST_DATABASE_URL is not set; npm test sets it' : false;

export interface GatewayOptions {
  /** Environment variables beside those that every test needs. */
  settings?: Record<string, string>;
  /** A fresh PostgreSQL database instead of SQLite. */
  postgres?: boolean;
  /** The database of another gateway. */
  databaseUrl?: string;
  upstream?: Sandbox;
}

export interface TestGateway {
  address: string;
  databaseUrl: string | undefined;
  dataFolder: string;
  upstream: Sandbox;
  running: Gateway;
  logLines: string[];
  /** A call to the operator API; the answer must be a success. */
  operator<T>(method: string, path: string, body?: unknown): Promise<T>;
  stop(): Promise<void>;
}

export const SECRET = 'a secret that the nodes of a test share';

export async function startTestGateway(options: GatewayOptions = {}): Promise<TestGateway> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'));
  const databaseUrl =
    options.databaseUrl ?? (options.postgres === true ? await makeMigratedDatabase(DATABASE_SERVER ?? '') : undefined);
  if (databaseUrl === undefined) await fillDataFolder(dataFolder);
  const upstream = options.upstream ?? (await startSandbox());
  const config = readConfig({
    PORT: '0',
    TOLLGATE_DATA_DIR: dataFolder,
    TOLLGATE_OPERATOR_KEY: OPERATOR_KEY,
    TOLLGATE_SECRET: SECRET,
    LOG_LEVEL: 'debug',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
    ...options.settings,
  });
  const logLines: string[] = [];
  const { logger } = makeLogger(config.logLevel, { write: (line: string) => void logLines.push(line) });
  const running = await startGateway(config, logger);
  const { address } = running;
  return {
    address,
    databaseUrl,
    dataFolder,
    upstream,
    running,
    logLines,
    operator: (method, path, body) => callOperator(address, { method, path, body }),
    async stop() {
      await running.stop(2_000);
      if (options.upstream === undefined) await upstream.stop();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

/** On a machine that is busy with other tests a short list may take as long as a long one elsewhere. */
const LIST_TRIES = 5;

export async function callOperator<T>(
  address: string,
  { method, path, body }: { method: string; path: string; body?: unknown },
  triesLeft = LIST_TRIES,
): Promise<T> {
  const response = await fetch(`${address}/operator/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${OPERATOR_KEY}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (response.status === 503 && text.includes('"list_too_slow"') && triesLeft > 1)
    return callOperator(address, { method, path, body }, triesLeft - 1);
  assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}
