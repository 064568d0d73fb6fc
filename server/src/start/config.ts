// Environment -> checked settings: the only place that reads process.env. A bad setting stops the start with one sentence
// that names the variable.
import { availableParallelism } from 'node:os';
import { isOrigin } from '#contract/values/origin.ts';
import { readSinks, type SinkAddress } from '../export/read-sinks.ts';
import { readS3Address, type S3Address } from '../files/s3/s3-address.ts';
import { withFiles } from '../shared/setting-files.ts';
import { readOtel } from '../telemetry/tracing.ts';
import { refuse } from './settings/config-error.ts';
import { OIDC_SETTINGS, oidcOf } from './settings/oidc-config.ts';
import {
  addressesOf,
  addressOf,
  baseAddressOf,
  type Bounds,
  type Environment,
  hostOf,
  hostsOf,
  networksOf,
  onOrOff,
  printOrFile,
  secretOf,
  wholeNumber,
} from './settings/setting-values.ts';

/** What else a reader may look at. */
interface Given {
  /** Without white space around it; undefined where that leaves nothing. */
  text(name: string): string | undefined;
  environment: Environment;
}
type Read<Value> = (name: string, value: string | undefined, given: Given) => Value;

interface Setting<Value> {
  name: string;
  read: Read<Value>;
  /** As operators read it; of a secret they read only whether it is set. */
  write: ((value: Value) => string) | 'secret';
}

const POSTGRES = ['postgres:', 'postgresql:'];
const HTTP = ['http:', 'https:'];
const MOST_DAYS = 36_500;
const MIB = 1024 * 1024;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const requestLogDays = number('TOLLGATE_REQUEST_LOG_DAYS', { fallback: 90, least: 1, most: MOST_DAYS });

/**
 * Each setting: its variable, how it is read, and how operators see it. Addresses of stores carry passwords, and headers for
 * a collector do, so they count as secrets.
 */
export const SETTINGS = {
  port: number('PORT', { fallback: 8080, least: 0, most: 65_535 }),
  host: setting('HOST', hostOf),
  dataFolder: setting('TOLLGATE_DATA_DIR', (_, value = './data') => value),
  databaseUrl: secret('DATABASE_URL', (name, value) => addressOf(name, value, POSTGRES)),
  /** A streaming replica of it, for lists. */
  databaseReadUrl: secret('DATABASE_READ_URL', readUrlOf),
  redisUrl: secret('REDIS_URL', (name, value) => addressesOf(name, value, ['redis:', 'rediss:'])),
  operatorKey: secret('TOLLGATE_OPERATOR_KEY', (name, _, { environment }) => secretOf(name, environment, 8)),
  operatorPassword: secret('TOLLGATE_OPERATOR_PASSWORD', (name, _, { environment }) => secretOf(name, environment, 8)),
  secret: secret('TOLLGATE_SECRET', (name, _, { environment }) => secretOf(name, environment, 16)),
  /** Where the first start tells its password and demo token: on stdout, or in a file of the data folder. */
  firstStart: setting('TOLLGATE_FIRST_START', printOrFile),
  sandbox: setting('TOLLGATE_SANDBOX', onOrOff),
  workers: setting('TOLLGATE_WORKERS', workersOf),
  baseAddress: setting('TOLLGATE_BASE_URL', baseAddressOf, (address) => address?.url ?? ''),
  legacyAddress: setting('TOLLGATE_LEGACY_BASE_URL', baseAddressOf, (address) => address?.url ?? ''),
  /** A word shown beside amounts. */
  currency: setting('TOLLGATE_CURRENCY', currencyOf),
  /** The operator's own name and colour (#rrggbb) in the portal. */
  portalName: setting('TOLLGATE_PORTAL_NAME', portalNameOf),
  portalColor: setting('TOLLGATE_PORTAL_COLOR', portalColorOf),
  /** Pages that may use the public API; empty: none. */
  corsOrigins: setting('TOLLGATE_CORS_ORIGINS', corsOriginsOf, (origins) => written(origins) || 'off'),
  trustedProxies: setting('TOLLGATE_TRUSTED_PROXIES', networksOf),
  privateHosts: setting('TOLLGATE_PRIVATE_HOSTS', hostsOf),
  /** Where mail is sent through; undefined: alerts cannot be mailed. */
  smtpUrl: secret('TOLLGATE_SMTP_URL', (name, value) => addressOf(name, value, ['smtp:', 'smtps:'])),
  /** Proxies of outgoing calls, by the scheme that is called, and hosts that are called without. */
  httpsProxy: secret('HTTPS_PROXY', proxyOf),
  httpProxy: secret('HTTP_PROXY', proxyOf),
  noProxy: setting('NO_PROXY', eitherCase),
  taskPollMs: number('TOLLGATE_TASK_POLL_MS', { fallback: 5_000, least: 50, most: 600_000 }),
  maxBodyBytes: megabytes('TOLLGATE_MAX_BODY_MB', { fallback: 64, least: 1, most: 1_024 }),
  maxConnectionsPerAddress: number('TOLLGATE_MAX_CONNECTIONS_PER_ADDRESS', {
    fallback: 4_096,
    least: 1,
    most: 1_000_000,
  }),
  /** Where the bytes of files are kept; undefined: in the data folder. */
  blobs: setting('TOLLGATE_BLOBS', blobsOf, (address) => (address ? `s3://${address.bucket}/${address.prefix}` : '')),
  /** Where request log and ledger are exported to. */
  exportSinks: setting('TOLLGATE_EXPORT', exportSinksOf, (sinks) => sinks.map(({ name }) => name).join(', ')),
  maxFileBytes: megabytes('TOLLGATE_MAX_FILE_MB', { fallback: 512, least: 1, most: 5_120 }),
  accountFilesBytes: megabytes('TOLLGATE_ACCOUNT_FILES_MB', { fallback: 10_240, least: 1, most: 1_000_000_000 }),
  /** Lines of batches under way at the same time, over all nodes. */
  batchConcurrency: number('TOLLGATE_BATCH_CONCURRENCY', { fallback: 8, least: 1, most: 10_000 }),
  /** Realtime sessions that one token may have open at the same time. */
  realtimeSessions: number('TOLLGATE_REALTIME_SESSIONS', { fallback: 20, least: 1, most: 100_000 }),
  /** A realtime session without any event for so long is closed. */
  realtimeIdleSeconds: number('TOLLGATE_REALTIME_IDLE_SECONDS', { fallback: 600, least: 1, most: 7_200 }),
  /** Lines of the request log are kept at least this long. */
  requestLogDays,
  /** Entries of the ledger leave the database when they are older and exported; undefined: never. */
  ledgerDays: setting('TOLLGATE_LEDGER_DAYS', ledgerDaysOf),
  /** Sums of usage are kept at least this long: not less than the log. */
  usageDays: setting('TOLLGATE_USAGE_DAYS', usageDaysOf),
  /** undefined: operators sign in with passwords only. What it is made of is described apart. */
  oidc: setting(
    'TOLLGATE_OIDC_ISSUER',
    (_name, _value, { text }) => oidcOf(text),
    (oidc) => oidc?.issuer ?? '',
  ),
  /** Kept bodies are forgotten after this. */
  bodyDays: number('TOLLGATE_BODY_DAYS', { fallback: 7, least: 1, most: 3_650 }),
  /** Responses of translated calls are forgotten when nobody has used them for so long; 0: none is kept. */
  keepResponsesDays: number('TOLLGATE_KEEP_RESPONSES_DAYS', { fallback: 30, least: 0, most: 3_650 }),
  logLevel: setting('LOG_LEVEL', logLevelOf),
  /** OpenTelemetry's own variables; undefined where they ask for nothing. */
  otel: secret('OTEL_*', (_name, _value, { environment }) => readOtel(environment)),
};

type Settings = { [Key in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Key]['read']> };
export interface Config extends Settings {
  /** As a script of package.json. */
  startedByNpm: boolean;
}

/** TOLLGATE_TOKEN and TOLLGATE_URL are for the command line and the examples. */
const KNOWN = new Set([
  ...[...Object.values(SETTINGS), ...OIDC_SETTINGS].map(({ name }) => name),
  'TOLLGATE_TOKEN',
  'TOLLGATE_URL',
]);
/** Settings whose names are not ours alone. */
const OTHERS = /^(?:OTEL_\w+|AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|REGION))$/;

export function readConfig(variables: Environment): Config {
  const environment = withFiles(variables, { isSetting: (name) => KNOWN.has(name) || OTHERS.test(name), refuse });
  refuseUnknown(environment);
  const text = (name: string): string | undefined => {
    const value = environment[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  };
  // Others are measured by the days of the log: what is wrong with those is said first.
  const keys = new Set(['requestLogDays', ...Object.keys(SETTINGS)]) as Set<keyof typeof SETTINGS>;
  const values = Array.from(keys, (key) => {
    const { name, read } = SETTINGS[key];
    return [key, read(name, text(name), { text, environment })];
  });
  return { ...(Object.fromEntries(values) as Settings), startedByNpm: text('npm_lifecycle_event') !== undefined };
}

/** For operators. */
export function written(value: string | number | boolean | readonly string[] = ''): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'object' ? value.join(', ') : String(value);
}

type Plain = Parameters<typeof written>[0];

/** What is no plain value says itself how it is written. */
function setting<Value extends Plain>(name: string, read: Read<Value>): Setting<Value>;
function setting<Value>(name: string, read: Read<Value>, write: Setting<Value>['write']): Setting<Value>;
function setting(name: string, read: Read<Plain>, write: Setting<Plain>['write'] = written): Setting<Plain> {
  return { name, read, write };
}

function secret<Value>(name: string, read: Read<Value>): Setting<Value> {
  return setting(name, read, 'secret');
}

function number(name: string, bounds: Bounds): Setting<number> {
  return setting(name, (_, value) => wholeNumber(name, value, bounds));
}

function megabytes(name: string, bounds: Bounds): Setting<number> {
  return setting(
    name,
    (_, value) => MIB * wholeNumber(name, value, bounds),
    (bytes) => String(bytes / MIB),
  );
}

/** A setting with a slip in its name would silently not be set. */
function refuseUnknown(environment: Environment): void {
  const unknown = Object.keys(environment).find((name) => name.startsWith('TOLLGATE_') && !KNOWN.has(name));
  if (unknown !== undefined) refuse(`${unknown} is not a setting; see the list in docs/settings.md.`);
}

/** A late charge of a line that is kept would change a sum that is gone, and stand there alone. */
function usageDaysOf(name: string, value: string | undefined, given: Given): number {
  const logDays = logDaysOf(given);
  const days = wholeNumber(name, value, { fallback: Math.max(1095, logDays), least: 1, most: MOST_DAYS });
  return days >= logDays ? days : refuseShorterThanLog(name, logDays);
}

/** Money has no other book than the ledger and what was exported of it. */
function ledgerDaysOf(name: string, value: string | undefined, given: Given): number | undefined {
  if (value === undefined) return undefined;
  // The statement of last month can always be made.
  const days = wholeNumber(name, value, { fallback: 0, least: 62, most: MOST_DAYS });
  const logDays = logDaysOf(given);
  // A request that can be looked up can be refunded.
  if (days < logDays) refuseShorterThanLog(name, logDays);
  if (given.text('DATABASE_URL') === undefined)
    refuse(`${name} needs DATABASE_URL: the embedded database keeps every entry.`);
  if (given.text('TOLLGATE_EXPORT') === undefined)
    refuse(`${name} needs TOLLGATE_EXPORT: entries leave the database only after they are exported.`);
  return days;
}

function logDaysOf(given: Given): number {
  const { name, read } = requestLogDays;
  return read(name, given.text(name), given);
}

function refuseShorterThanLog(name: string, logDays: number): never {
  return refuse(`${name} must not be less than ${requestLogDays.name}, which is ${logDays}.`);
}

function blobsOf(name: string, value: string | undefined, { text }: Given): S3Address | undefined {
  return value === undefined ? undefined : readS3Address(value, text, (sentence) => refuse(`${name} ${sentence}`));
}

function exportSinksOf(name: string, value: string | undefined, { text }: Given): SinkAddress[] {
  return readSinks(value ?? '', { variable: text, refuse: (sentence) => refuse(`${name} ${sentence}`) });
}

function currencyOf(name: string, value = 'USD'): string {
  return /^\p{L}[\p{L}\d ]{0,15}$/u.test(value)
    ? value
    : refuse(`${name} must be a short word such as USD, not "${value}".`);
}

function portalNameOf(name: string, value = 'Tollgate'): string {
  return /^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u.test(value)
    ? value
    : refuse(`${name} must be one line of 1 to 60 characters.`);
}

function portalColorOf(name: string, value = '#5648f0'): string {
  return /^#[\da-f]{6}$/i.test(value)
    ? value.toLowerCase()
    : refuse(`${name} must be a colour such as #0f766e, not "${value}".`);
}

function corsOriginsOf(name: string, value = '*'): '*' | string[] {
  if (value === '*') return '*';
  if (value === 'off') return [];
  return value.split(',').map((one) => {
    const text = one.trim();
    return isOrigin(text)
      ? text
      : refuse(`${name} must be "*", "off" or origins such as https://app.example, not "${text}".`);
  });
}

function workersOf(name: string, value: string | undefined): number {
  if (value === 'auto') return availableParallelism();
  return wholeNumber(name, value, { fallback: 1, least: 1, most: 256, orWord: 'auto' });
}

function readUrlOf(name: string, value: string | undefined, { text }: Given): string | undefined {
  const url = addressOf(name, value, POSTGRES);
  if (url === undefined || text('DATABASE_URL') !== undefined) return url;
  return refuse(`${name} is set without DATABASE_URL; it names a replica of that database.`);
}

/** As other programs write them, too. */
function eitherCase(name: string, value: string | undefined, { text }: Given): string | undefined {
  return value ?? text(name.toLowerCase());
}

function proxyOf(name: string, value: string | undefined, given: Given): string | undefined {
  return addressOf(name, eitherCase(name, value, given), HTTP);
}

function logLevelOf(name: string, value = 'info'): string {
  return LOG_LEVELS.includes(value)
    ? value
    : refuse(`${name} must be one of ${LOG_LEVELS.join(', ')}, not "${value}".`);
}
