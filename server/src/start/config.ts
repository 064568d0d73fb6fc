// Environment -> checked settings: the only place that reads process.env. A bad setting stops the start with one sentence
// that names the variable.
import { availableParallelism } from 'node:os';
import { isOrigin } from '#contract/values/origin.ts';
import type { BaseAddress } from '../http/base-addresses.ts';
import type { OidcSettings } from '../operator/sign-in/oidc/oidc-settings.ts';
import { readSinks, type SinkAddress } from '../export/read-sinks.ts';
import { readS3Address, type S3Address } from '../files/s3/s3-address.ts';
import { withFiles } from '../shared/setting-files.ts';
import { type OtelSettings, readOtel } from '../telemetry/tracing.ts';
import { ConfigError } from './settings/config-error.ts';
import { oidcOf } from './settings/oidc-config.ts';
import {
  addressesOf,
  addressOf,
  baseAddressOf,
  type Environment,
  hostOf,
  hostsOf,
  networksOf,
  onOrOff,
  printOrFile,
  secretOf,
  wholeNumber,
} from './settings/setting-values.ts';

export interface Config {
  port: number;
  host: string;
  dataFolder: string;
  databaseUrl: string | undefined;
  /** A streaming replica of it, for lists. */
  databaseReadUrl: string | undefined;
  redisUrl: string | undefined;
  operatorKey: string | undefined;
  operatorPassword: string | undefined;
  secret: string | undefined;
  /** Where the first start tells its password and demo token: on stdout, or in a file of the data folder. */
  firstStart: 'print' | 'file';
  sandbox: boolean;
  workers: number;
  baseAddress: BaseAddress | undefined;
  legacyAddress: BaseAddress | undefined;
  /** A word shown beside amounts. */
  currency: string;
  /** The operator's own name and colour (#rrggbb) in the portal. */
  portalName: string;
  portalColor: string;
  /** Pages that may use the public API; empty: none. */
  corsOrigins: '*' | string[];
  trustedProxies: string[];
  privateHosts: string[];
  /** Where mail is sent through; undefined: alerts cannot be mailed. */
  smtpUrl: string | undefined;
  /** Proxies of outgoing calls, by the scheme that is called, and hosts that are called without. */
  httpsProxy: string | undefined;
  httpProxy: string | undefined;
  noProxy: string | undefined;
  taskPollMs: number;
  maxBodyBytes: number;
  maxConnectionsPerAddress: number;
  /** Where the bytes of files are kept; undefined: in the data folder. */
  blobs: S3Address | undefined;
  /** Where request log and ledger are exported to. */
  exportSinks: SinkAddress[];
  maxFileBytes: number;
  accountFilesBytes: number;
  /** Lines of batches under way at the same time, over all nodes. */
  batchConcurrency: number;
  /** Realtime sessions that one token may have open at the same time. */
  realtimeSessions: number;
  /** A realtime session without any event for so long is closed. */
  realtimeIdleSeconds: number;
  /** Lines of the request log are kept at least this long. */
  requestLogDays: number;
  /** Entries of the ledger leave the database when they are older and exported; undefined: never. */
  ledgerDays: number | undefined;
  /** Sums of usage are kept at least this long: not less than the log. */
  usageDays: number;
  /** undefined: operators sign in with passwords only. */
  oidc: OidcSettings | undefined;
  /** Kept bodies are forgotten after this. */
  bodyDays: number;
  /** Responses of translated calls are forgotten when nobody has used them for so long; 0: none is kept. */
  keepResponsesDays: number;
  logLevel: string;
  /** OpenTelemetry's own variables; undefined where they ask for nothing. */
  otel: OtelSettings | undefined;
  /** As a script of package.json. */
  startedByNpm: boolean;
}

/** TOLLGATE_TOKEN and TOLLGATE_URL are for the command line and the examples. */
const KNOWN = new Set(
  [
    'DATA_DIR',
    'OPERATOR_KEY',
    'OPERATOR_PASSWORD',
    'SECRET',
    'FIRST_START',
    'SANDBOX',
    'WORKERS',
    'BASE_URL',
    'LEGACY_BASE_URL',
    'TRUSTED_PROXIES',
    'PRIVATE_HOSTS',
    'TASK_POLL_MS',
    'MAX_BODY_MB',
    'MAX_CONNECTIONS_PER_ADDRESS',
    'REQUEST_LOG_DAYS',
    'LEDGER_DAYS',
    'USAGE_DAYS',
    'BODY_DAYS',
    'KEEP_RESPONSES_DAYS',
    'TOKEN',
    'URL',
    'OIDC_ISSUER',
    'OIDC_CLIENT_ID',
    'OIDC_CLIENT_SECRET',
    'OIDC_NAME',
    'OIDC_ADMINS',
    'OIDC_VIEWERS',
    'OIDC_TENANTS',
    'OIDC_PORTAL',
    'CORS_ORIGINS',
    'CURRENCY',
    'PORTAL_NAME',
    'PORTAL_COLOR',
    'BLOBS',
    'EXPORT',
    'MAX_FILE_MB',
    'ACCOUNT_FILES_MB',
    'BATCH_CONCURRENCY',
    'SMTP_URL',
    'REALTIME_SESSIONS',
    'REALTIME_IDLE_SECONDS',
  ].map((name) => `TOLLGATE_${name}`),
);
/** Settings whose names are not ours alone. */
const OTHERS =
  /^(?:PORT|HOST|DATABASE_URL|DATABASE_READ_URL|REDIS_URL|LOG_LEVEL|OTEL_\w+|HTTPS?_PROXY|NO_PROXY|AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN|REGION))$/;
const MOST_DAYS = 36_500;
const MIB = 1024 * 1024;
const FILE_MB = { fallback: 512, least: 1, most: 5_120 };
const BATCH_LINES = { fallback: 8, least: 1, most: 10_000 };
const REALTIME_SESSIONS = { fallback: 20, least: 1, most: 100_000 };
const REALTIME_IDLE = { fallback: 600, least: 1, most: 7_200 };
const FILES_MB = { fallback: 10_240, least: 1, most: 1_000_000_000 };
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

export function readConfig(given: Environment): Config {
  const environment = withFiles(given, {
    isSetting: (name) => KNOWN.has(name) || OTHERS.test(name),
    refuse(sentence) {
      throw new ConfigError(sentence);
    },
  });
  refuseUnknown(environment);
  const text = (name: string): string | undefined => {
    const value = environment[name]?.trim();
    return value === undefined || value === '' ? undefined : value;
  };
  const requestLogDays = wholeNumber('TOLLGATE_REQUEST_LOG_DAYS', text('TOLLGATE_REQUEST_LOG_DAYS'), {
    fallback: 90,
    least: 1,
    most: MOST_DAYS,
  });
  return {
    port: wholeNumber('PORT', text('PORT'), { fallback: 8080, least: 0, most: 65_535 }),
    host: hostOf('HOST', text('HOST')),
    dataFolder: text('TOLLGATE_DATA_DIR') ?? './data',
    databaseUrl: addressOf('DATABASE_URL', text('DATABASE_URL'), ['postgres:', 'postgresql:']),
    databaseReadUrl: readUrlOf(text),
    redisUrl: addressesOf('REDIS_URL', text('REDIS_URL'), ['redis:', 'rediss:']),
    operatorKey: secretOf('TOLLGATE_OPERATOR_KEY', environment, 8),
    operatorPassword: secretOf('TOLLGATE_OPERATOR_PASSWORD', environment, 8),
    secret: secretOf('TOLLGATE_SECRET', environment, 16),
    firstStart: printOrFile('TOLLGATE_FIRST_START', text('TOLLGATE_FIRST_START')),
    sandbox: onOrOff('TOLLGATE_SANDBOX', text('TOLLGATE_SANDBOX')),
    workers: workersOf(text('TOLLGATE_WORKERS')),
    baseAddress: baseAddressOf('TOLLGATE_BASE_URL', text('TOLLGATE_BASE_URL')),
    legacyAddress: baseAddressOf('TOLLGATE_LEGACY_BASE_URL', text('TOLLGATE_LEGACY_BASE_URL')),
    currency: currencyOf(text('TOLLGATE_CURRENCY')),
    portalName: portalNameOf(text('TOLLGATE_PORTAL_NAME')),
    portalColor: portalColorOf(text('TOLLGATE_PORTAL_COLOR')),
    corsOrigins: corsOriginsOf(text('TOLLGATE_CORS_ORIGINS')),
    trustedProxies: networksOf('TOLLGATE_TRUSTED_PROXIES', text('TOLLGATE_TRUSTED_PROXIES')),
    privateHosts: hostsOf('TOLLGATE_PRIVATE_HOSTS', text('TOLLGATE_PRIVATE_HOSTS')),
    smtpUrl: addressOf('TOLLGATE_SMTP_URL', text('TOLLGATE_SMTP_URL'), ['smtp:', 'smtps:']),
    httpsProxy: addressOf('HTTPS_PROXY', text('HTTPS_PROXY') ?? text('https_proxy'), ['http:', 'https:']),
    httpProxy: addressOf('HTTP_PROXY', text('HTTP_PROXY') ?? text('http_proxy'), ['http:', 'https:']),
    noProxy: text('NO_PROXY') ?? text('no_proxy'),
    taskPollMs: wholeNumber('TOLLGATE_TASK_POLL_MS', text('TOLLGATE_TASK_POLL_MS'), {
      fallback: 5_000,
      least: 50,
      most: 600_000,
    }),
    maxBodyBytes:
      1024 *
      1024 *
      wholeNumber('TOLLGATE_MAX_BODY_MB', text('TOLLGATE_MAX_BODY_MB'), { fallback: 64, least: 1, most: 1_024 }),
    maxConnectionsPerAddress: wholeNumber(
      'TOLLGATE_MAX_CONNECTIONS_PER_ADDRESS',
      text('TOLLGATE_MAX_CONNECTIONS_PER_ADDRESS'),
      { fallback: 4_096, least: 1, most: 1_000_000 },
    ),
    blobs: blobsOf(text),
    exportSinks: exportSinksOf(text),
    maxFileBytes: MIB * wholeNumber('TOLLGATE_MAX_FILE_MB', text('TOLLGATE_MAX_FILE_MB'), FILE_MB),
    accountFilesBytes: MIB * wholeNumber('TOLLGATE_ACCOUNT_FILES_MB', text('TOLLGATE_ACCOUNT_FILES_MB'), FILES_MB),
    batchConcurrency: wholeNumber('TOLLGATE_BATCH_CONCURRENCY', text('TOLLGATE_BATCH_CONCURRENCY'), BATCH_LINES),
    realtimeSessions: wholeNumber('TOLLGATE_REALTIME_SESSIONS', text('TOLLGATE_REALTIME_SESSIONS'), REALTIME_SESSIONS),
    realtimeIdleSeconds: wholeNumber(
      'TOLLGATE_REALTIME_IDLE_SECONDS',
      text('TOLLGATE_REALTIME_IDLE_SECONDS'),
      REALTIME_IDLE,
    ),
    requestLogDays,
    ledgerDays: ledgerDaysOf(text, requestLogDays),
    usageDays: usageDaysOf(text('TOLLGATE_USAGE_DAYS'), requestLogDays),
    oidc: oidcOf(text),
    bodyDays: wholeNumber('TOLLGATE_BODY_DAYS', text('TOLLGATE_BODY_DAYS'), { fallback: 7, least: 1, most: 3_650 }),
    keepResponsesDays: wholeNumber('TOLLGATE_KEEP_RESPONSES_DAYS', text('TOLLGATE_KEEP_RESPONSES_DAYS'), {
      fallback: 30,
      least: 0,
      most: 3_650,
    }),
    logLevel: logLevelOf(text('LOG_LEVEL')),
    otel: readOtel(environment),
    startedByNpm: text('npm_lifecycle_event') !== undefined,
  };
}

/** A setting with a slip in its name would silently not be set. */
function refuseUnknown(environment: Environment): void {
  const unknown = Object.keys(environment).find((name) => name.startsWith('TOLLGATE_') && !KNOWN.has(name));
  if (unknown !== undefined) throw new ConfigError(`${unknown} is not a setting; see the list in docs/settings.md.`);
}

/** A late charge of a line that is kept would change a sum that is gone, and stand there alone. */
function usageDaysOf(value: string | undefined, requestLogDays: number): number {
  const name = 'TOLLGATE_USAGE_DAYS';
  const days = wholeNumber(name, value, { fallback: Math.max(1095, requestLogDays), least: 1, most: MOST_DAYS });
  if (days >= requestLogDays) return days;
  throw new ConfigError(`${name} must not be less than TOLLGATE_REQUEST_LOG_DAYS, which is ${requestLogDays}.`);
}

/** Money has no other book than the ledger and what was exported of it. */
function ledgerDaysOf(text: (name: string) => string | undefined, requestLogDays: number): number | undefined {
  const name = 'TOLLGATE_LEDGER_DAYS';
  const value = text(name);
  if (value === undefined) return undefined;
  // The statement of last month can always be made.
  const days = wholeNumber(name, value, { fallback: 0, least: 62, most: MOST_DAYS });
  // A request that can be looked up can be refunded.
  if (days < requestLogDays)
    throw new ConfigError(`${name} must not be less than TOLLGATE_REQUEST_LOG_DAYS, which is ${requestLogDays}.`);
  if (text('DATABASE_URL') === undefined)
    throw new ConfigError(`${name} needs DATABASE_URL: the embedded database keeps every entry.`);
  if (text('TOLLGATE_EXPORT') === undefined)
    throw new ConfigError(`${name} needs TOLLGATE_EXPORT: entries leave the database only after they are exported.`);
  return days;
}

function blobsOf(text: (name: string) => string | undefined): S3Address | undefined {
  const value = text('TOLLGATE_BLOBS');
  return value === undefined
    ? undefined
    : readS3Address(value, text, (sentence) => {
        throw new ConfigError(`TOLLGATE_BLOBS ${sentence}`);
      });
}

function exportSinksOf(text: (name: string) => string | undefined): SinkAddress[] {
  return readSinks(text('TOLLGATE_EXPORT') ?? '', {
    variable: text,
    refuse(sentence) {
      throw new ConfigError(`TOLLGATE_EXPORT ${sentence}`);
    },
  });
}

function currencyOf(value = 'USD'): string {
  if (/^\p{L}[\p{L}\d ]{0,15}$/u.test(value)) return value;
  throw new ConfigError(`TOLLGATE_CURRENCY must be a short word such as USD, not "${value}".`);
}

function portalNameOf(value = 'Tollgate'): string {
  if (/^[^\p{C}\p{Zl}\p{Zp}]{1,60}$/u.test(value)) return value;
  throw new ConfigError('TOLLGATE_PORTAL_NAME must be one line of 1 to 60 characters.');
}

function portalColorOf(value = '#5648f0'): string {
  if (/^#[\da-f]{6}$/i.test(value)) return value.toLowerCase();
  throw new ConfigError(`TOLLGATE_PORTAL_COLOR must be a colour such as #0f766e, not "${value}".`);
}

function corsOriginsOf(value: string | undefined): '*' | string[] {
  if (value === undefined || value === '*') return '*';
  if (value === 'off') return [];
  return value.split(',').map((one) => {
    const text = one.trim();
    if (isOrigin(text)) return text;
    throw new ConfigError(
      `TOLLGATE_CORS_ORIGINS must be "*", "off" or origins such as https://app.example, not "${text}".`,
    );
  });
}

function workersOf(value: string | undefined): number {
  if (value === 'auto') return availableParallelism();
  return wholeNumber('TOLLGATE_WORKERS', value, { fallback: 1, least: 1, most: 256, orWord: 'auto' });
}

function readUrlOf(text: (name: string) => string | undefined): string | undefined {
  const url = addressOf('DATABASE_READ_URL', text('DATABASE_READ_URL'), ['postgres:', 'postgresql:']);
  if (url === undefined || text('DATABASE_URL') !== undefined) return url;
  throw new ConfigError('DATABASE_READ_URL is set without DATABASE_URL; it names a replica of that database.');
}

function logLevelOf(value: string | undefined): string {
  if (value === undefined) return 'info';
  if (LOG_LEVELS.includes(value)) return value;
  throw new ConfigError(`LOG_LEVEL must be one of ${LOG_LEVELS.join(', ')}, not "${value}".`);
}
