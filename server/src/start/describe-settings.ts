// The settings in force as operators may read them. Each setting has its line here, or this does not compile.
import type { Config } from './config.ts';

export interface DescribedSetting {
  name: string;
  /** Of a secret only "set" or "not set". */
  value: string;
  isSecret: boolean;
}

type Line<Value> = readonly [name: string, write: ((value: Value) => string) | 'secret'];

/** Addresses of stores carry passwords, and headers for a collector do, so they count as secrets. */
const LINES: { [Key in keyof Omit<Config, 'startedByNpm' | 'oidc'>]: Line<Config[Key]> } = {
  port: ['PORT', String],
  host: ['HOST', String],
  dataFolder: ['TOLLGATE_DATA_DIR', String],
  databaseUrl: ['DATABASE_URL', 'secret'],
  databaseReadUrl: ['DATABASE_READ_URL', 'secret'],
  redisUrl: ['REDIS_URL', 'secret'],
  operatorKey: ['TOLLGATE_OPERATOR_KEY', 'secret'],
  operatorPassword: ['TOLLGATE_OPERATOR_PASSWORD', 'secret'],
  secret: ['TOLLGATE_SECRET', 'secret'],
  firstStart: ['TOLLGATE_FIRST_START', String],
  sandbox: ['TOLLGATE_SANDBOX', (isOn) => (isOn ? 'on' : 'off')],
  workers: ['TOLLGATE_WORKERS', String],
  baseAddress: ['TOLLGATE_BASE_URL', (address) => address?.url ?? ''],
  legacyAddress: ['TOLLGATE_LEGACY_BASE_URL', (address) => address?.url ?? ''],
  currency: ['TOLLGATE_CURRENCY', String],
  portalName: ['TOLLGATE_PORTAL_NAME', String],
  portalColor: ['TOLLGATE_PORTAL_COLOR', String],
  corsOrigins: [
    'TOLLGATE_CORS_ORIGINS',
    (origins) => (origins === '*' ? '*' : origins.length === 0 ? 'off' : origins.join(', ')),
  ],
  trustedProxies: ['TOLLGATE_TRUSTED_PROXIES', (networks) => networks.join(', ')],
  privateHosts: ['TOLLGATE_PRIVATE_HOSTS', (hosts) => hosts.join(', ')],
  smtpUrl: ['TOLLGATE_SMTP_URL', 'secret'],
  httpsProxy: ['HTTPS_PROXY', 'secret'],
  httpProxy: ['HTTP_PROXY', 'secret'],
  noProxy: ['NO_PROXY', (hosts) => hosts ?? ''],
  taskPollMs: ['TOLLGATE_TASK_POLL_MS', String],
  maxBodyBytes: ['TOLLGATE_MAX_BODY_MB', (bytes) => String(bytes / 1024 / 1024)],
  maxConnectionsPerAddress: ['TOLLGATE_MAX_CONNECTIONS_PER_ADDRESS', String],
  blobs: ['TOLLGATE_BLOBS', (address) => (address === undefined ? '' : `s3://${address.bucket}/${address.prefix}`)],
  exportSinks: ['TOLLGATE_EXPORT', (sinks) => sinks.map(({ name }) => name).join(', ')],
  maxFileBytes: ['TOLLGATE_MAX_FILE_MB', (bytes) => String(bytes / 1024 / 1024)],
  accountFilesBytes: ['TOLLGATE_ACCOUNT_FILES_MB', (bytes) => String(bytes / 1024 / 1024)],
  batchConcurrency: ['TOLLGATE_BATCH_CONCURRENCY', String],
  realtimeSessions: ['TOLLGATE_REALTIME_SESSIONS', String],
  realtimeIdleSeconds: ['TOLLGATE_REALTIME_IDLE_SECONDS', String],
  requestLogDays: ['TOLLGATE_REQUEST_LOG_DAYS', String],
  ledgerDays: ['TOLLGATE_LEDGER_DAYS', (days) => (days === undefined ? '' : String(days))],
  usageDays: ['TOLLGATE_USAGE_DAYS', String],
  bodyDays: ['TOLLGATE_BODY_DAYS', String],
  keepResponsesDays: ['TOLLGATE_KEEP_RESPONSES_DAYS', String],
  logLevel: ['LOG_LEVEL', String],
  otel: ['OTEL_*', 'secret'],
};

type Oidc = NonNullable<Config['oidc']>;

/** Of an issuer all are set, or none. */
const OIDC_LINES: readonly (readonly [name: string, read: (oidc: Oidc) => string | undefined, kind?: 'secret'])[] = [
  ['TOLLGATE_OIDC_ISSUER', ({ issuer }) => issuer],
  ['TOLLGATE_OIDC_CLIENT_ID', ({ clientId }) => clientId],
  ['TOLLGATE_OIDC_CLIENT_SECRET', ({ clientSecret }) => clientSecret, 'secret'],
  ['TOLLGATE_OIDC_NAME', ({ name }) => name],
  ['TOLLGATE_OIDC_ADMINS', ({ people }) => people.admins.join(', ')],
  ['TOLLGATE_OIDC_VIEWERS', ({ people }) => people.viewers.join(', ')],
  ['TOLLGATE_OIDC_TENANTS', ({ tenants }) => tenants.join(', ')],
  ['TOLLGATE_OIDC_PORTAL', ({ portal }) => (portal ? 'on' : 'off')],
];

export function describeSettings(config: Config): DescribedSetting[] {
  const single = (Object.keys(LINES) as (keyof typeof LINES)[]).map((key) => {
    const [name, write] = LINES[key] as Line<unknown>;
    const value = config[key];
    return write === 'secret' ? secret(name, value) : { name, value: write(value), isSecret: false };
  });
  const oidc = OIDC_LINES.map(([name, read, kind]) => {
    const value = config.oidc === undefined ? undefined : read(config.oidc);
    return kind === 'secret' ? secret(name, value) : { name, value: value ?? '', isSecret: false };
  });
  return [...single, ...oidc];
}

function secret(name: string, value: unknown): DescribedSetting {
  return { name, value: value === undefined ? 'not set' : 'set', isSecret: true };
}
