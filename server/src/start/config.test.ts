import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { readConfig } from './config.ts';
import { ConfigError } from './settings/config-error.ts';

const SECRET = 'hunter2-pass';

/** The sentence a setting is refused with; undefined when it is accepted. */
function refusal(name: string, value: string): string | undefined {
  try {
    readConfig({ [name]: value });
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.message;
  }
}

describe('defaults (contract 1)', () => {
  const DEFAULTS = {
    port: 8080,
    host: '127.0.0.1',
    dataFolder: './data',
    databaseUrl: undefined,
    databaseReadUrl: undefined,
    redisUrl: undefined,
    operatorKey: undefined,
    operatorPassword: undefined,
    secret: undefined,
    firstStart: 'print',
    sandbox: true,
    workers: 1,
    baseAddress: undefined,
    legacyAddress: undefined,
    currency: 'USD',
    portalName: 'Tollgate',
    portalColor: '#5648f0',
    corsOrigins: '*',
    trustedProxies: [],
    privateHosts: [],
    smtpUrl: undefined,
    httpsProxy: undefined,
    httpProxy: undefined,
    noProxy: undefined,
    taskPollMs: 5_000,
    maxBodyBytes: 64 * 1024 * 1024,
    maxConnectionsPerAddress: 4_096,
    blobs: undefined,
    exportSinks: [],
    maxFileBytes: 512 * 1024 * 1024,
    accountFilesBytes: 10_240 * 1024 * 1024,
    batchConcurrency: 8,
    realtimeSessions: 20,
    realtimeIdleSeconds: 600,
    requestLogDays: 90,
    ledgerDays: undefined,
    usageDays: 1095,
    bodyDays: 7,
    keepResponsesDays: 30,
    oidc: undefined,
    logLevel: 'info',
    otel: undefined,
    startedByNpm: false,
  };

  test('an empty environment gives every default', () => {
    assert.deepEqual(readConfig({}), DEFAULTS);
  });

  test('empty and blank values count as unset, and unknown variables are left alone', () => {
    const names = ['PORT', 'HOST', 'TOLLGATE_DATA_DIR', 'DATABASE_URL', 'REDIS_URL', 'TOLLGATE_SANDBOX', 'LOG_LEVEL'];
    names.push('TOLLGATE_WORKERS', 'TOLLGATE_BASE_URL', 'TOLLGATE_LEGACY_BASE_URL', 'TOLLGATE_TRUSTED_PROXIES');
    names.push('TOLLGATE_OIDC_ISSUER', 'TOLLGATE_OIDC_CLIENT_ID', 'TOLLGATE_OIDC_CLIENT_SECRET', 'TOLLGATE_OIDC_NAME');
    names.push('TOLLGATE_OIDC_ADMINS', 'TOLLGATE_OIDC_VIEWERS', 'TOLLGATE_OIDC_TENANTS');
    names.push('TOLLGATE_PRIVATE_HOSTS', 'TOLLGATE_TASK_POLL_MS', 'TOLLGATE_MAX_BODY_MB', 'TOLLGATE_REQUEST_LOG_DAYS');
    names.push('TOLLGATE_MAX_CONNECTIONS_PER_ADDRESS');
    names.push('TOLLGATE_USAGE_DAYS', 'TOLLGATE_BODY_DAYS', 'TOLLGATE_KEEP_RESPONSES_DAYS');
    for (const blank of ['', '  ']) {
      const environment = Object.fromEntries(names.map((name) => [name, blank]));
      assert.deepEqual(readConfig({ ...environment, OTEL_SERVICE_NAME: 'x', PATH: '/bin' }), DEFAULTS);
    }
  });
});

describe('good values', () => {
  const one = (name: string, value: string): Partial<ReturnType<typeof readConfig>> => readConfig({ [name]: value });

  test('numbers and words', () => {
    assert.equal(one('PORT', ' 9000 ').port, 9000);
    assert.equal(one('PORT', '0').port, 0);
    assert.equal(one('HOST', '::').host, '::');
    assert.equal(one('TOLLGATE_DATA_DIR', '/var/lib/tollgate').dataFolder, '/var/lib/tollgate');
    assert.deepEqual([one('TOLLGATE_SANDBOX', 'on').sandbox, one('TOLLGATE_SANDBOX', 'off').sandbox], [true, false]);
    assert.equal(one('TOLLGATE_WORKERS', '4').workers, 4);
    assert.equal(one('TOLLGATE_WORKERS', 'auto').workers, availableParallelism());
    assert.throws(() => one('TOLLGATE_WORKERS', 'many'), /must be "auto" or a whole number from 1 to 256, not "many"/);
    assert.equal(one('TOLLGATE_TASK_POLL_MS', '250').taskPollMs, 250);
    assert.equal(one('TOLLGATE_MAX_BODY_MB', '8').maxBodyBytes, 8 * 1024 * 1024);
    assert.equal(one('TOLLGATE_MAX_CONNECTIONS_PER_ADDRESS', '20').maxConnectionsPerAddress, 20);
    assert.equal(one('TOLLGATE_USAGE_DAYS', '90').usageDays, 90);
    assert.equal(
      one('TOLLGATE_REQUEST_LOG_DAYS', '36500').usageDays,
      36_500,
      'as long as the log, if nobody says more',
    );
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
      assert.equal(one('LOG_LEVEL', level).logLevel, level);
  });

  test('addresses of the database, of Redis and of the gateway', () => {
    for (const url of ['postgres://u:p@db.example:5432/x?sslmode=require', 'postgresql://db/x'])
      assert.equal(one('DATABASE_URL', url).databaseUrl, url);
    const replica = { DATABASE_URL: 'postgres://db/x', DATABASE_READ_URL: 'postgres://u:p@replica/x' };
    assert.equal(readConfig(replica).databaseReadUrl, 'postgres://u:p@replica/x');
    for (const url of ['redis://:p@cache:6379/0', 'rediss://cache']) assert.equal(one('REDIS_URL', url).redisUrl, url);
    for (const url of ['smtp://u:p@mail:587?from=a@b.c', 'smtps://mail'])
      assert.equal(one('TOLLGATE_SMTP_URL', url).smtpUrl, url);
    const expected: [string, string, string, string][] = [
      ['https://gw.example', 'https://gw.example', 'gw.example', ''],
      ['https://gw.example/', 'https://gw.example', 'gw.example', ''],
      ['http://GW.example:8080/a/b//', 'http://gw.example:8080/a/b', 'gw.example:8080', '/a/b'],
    ];
    for (const [given, url, host, prefix] of expected) {
      assert.deepEqual(one('TOLLGATE_BASE_URL', given).baseAddress, { url, host, prefix });
      assert.deepEqual(one('TOLLGATE_LEGACY_BASE_URL', given).legacyAddress, { url, host, prefix });
    }
  });

  test('lists', () => {
    const networks = ['10.0.0.0/8', '192.168.1.1', '::1', 'fd00::/8', '0.0.0.0/0'];
    assert.deepEqual(one('TOLLGATE_CORS_ORIGINS', 'off').corsOrigins, []);
    assert.deepEqual(one('TOLLGATE_CORS_ORIGINS', 'https://a.example, http://b:1').corsOrigins, [
      'https://a.example',
      'http://b:1',
    ]);
    assert.deepEqual(one('TOLLGATE_TRUSTED_PROXIES', ` ${networks.join(' , ')},`).trustedProxies, networks);
    const hosts = ['media.internal', '10.0.0.7:9000', '[fd00::1]:9000'];
    assert.deepEqual(one('TOLLGATE_PRIVATE_HOSTS', hosts.join(',')).privateHosts, hosts);
  });

  test('secrets are taken without the white space around them', () => {
    assert.equal(one('TOLLGATE_OPERATOR_KEY', ` ${SECRET}\n`).operatorKey, SECRET);
    assert.equal(one('TOLLGATE_OPERATOR_PASSWORD', SECRET).operatorPassword, SECRET);
    assert.equal(one('TOLLGATE_SECRET', SECRET.repeat(2)).secret, SECRET.repeat(2));
  });
});

describe('signing in by OIDC', () => {
  const WHOLE = {
    TOLLGATE_OIDC_ISSUER: 'https://id.example:8443/tenant/',
    TOLLGATE_OIDC_CLIENT_ID: 'tollgate',
    TOLLGATE_OIDC_ADMINS: 'Ann@Example.com, *@root.example',
  };

  test('what is needed, and all that is possible', () => {
    assert.deepEqual(readConfig(WHOLE).oidc, {
      issuer: 'https://id.example:8443/tenant/',
      clientId: 'tollgate',
      clientSecret: undefined,
      name: 'id.example:8443',
      people: { admins: ['ann@example.com', '*@root.example'], viewers: [] },
      portal: true,
      tenants: [],
    });
    const more = { CLIENT_SECRET: SECRET, NAME: 'Example', VIEWERS: '*@example.com', ADMINS: '', PORTAL: 'off' };
    const settings = Object.entries(more).map(([name, value]) => [`TOLLGATE_OIDC_${name}`, value]);
    assert.deepEqual(readConfig({ ...WHOLE, ...Object.fromEntries(settings) }).oidc, {
      issuer: 'https://id.example:8443/tenant/',
      clientId: 'tollgate',
      clientSecret: SECRET,
      name: 'Example',
      people: { admins: [], viewers: ['*@example.com'] },
      portal: false,
      tenants: [],
    });
  });

  test('Microsoft Entra ID of every organisation needs the tenants that are meant (issue 33)', () => {
    const tenant = '11111111-2222-3333-4444-55555555aaaa';
    const entra = (path: string, tenants?: string) => ({
      ...WHOLE,
      TOLLGATE_OIDC_ISSUER: `https://login.microsoftonline.com/${path}/v2.0`,
      ...(tenants !== undefined && { TOLLGATE_OIDC_TENANTS: tenants }),
    });
    for (const path of ['common', 'organizations', 'Organizations', 'consumers'])
      assert.throws(() => readConfig(entra(path)), /^ConfigError: TOLLGATE_OIDC_TENANTS must list/u);
    assert.deepEqual(readConfig(entra('common', tenant.toUpperCase())).oidc?.tenants, [tenant]);
    assert.deepEqual(readConfig(entra(tenant)).oidc?.tenants, [], 'one tenant stands in the issuer');
    assert.throws(() => readConfig(entra('common', 'example.com')), /"example.com", which is no tenant id/u);
    assert.throws(() => readConfig({ ...WHOLE, TOLLGATE_OIDC_TENANTS: tenant }), /is for Microsoft Entra ID/u);
  });

  test('half of it is refused with what is missing', () => {
    for (const name of ['CLIENT_ID', 'CLIENT_SECRET', 'NAME', 'ADMINS', 'VIEWERS', 'PORTAL']) {
      const sentence = refusal(`TOLLGATE_OIDC_${name}`, `${SECRET}@example.com`) ?? '';
      assert.match(sentence, new RegExp(`^TOLLGATE_OIDC_${name} is set without TOLLGATE_OIDC_ISSUER`, 'u'));
      assert.ok(!sentence.includes(SECRET), sentence);
    }
    const { TOLLGATE_OIDC_CLIENT_ID: _id, ...clientless } = WHOLE;
    assert.throws(() => readConfig(clientless), /^ConfigError: TOLLGATE_OIDC_CLIENT_ID must be set/u);
    const { TOLLGATE_OIDC_ADMINS: _admins, ...peopleless } = WHOLE;
    assert.throws(
      () => readConfig(peopleless),
      /^ConfigError: TOLLGATE_OIDC_ADMINS or TOLLGATE_OIDC_VIEWERS must name/u,
    );
  });

  test('people are addresses or whole domains, and each has one role', () => {
    for (const name of ['TOLLGATE_OIDC_ADMINS', 'TOLLGATE_OIDC_VIEWERS']) {
      for (const value of ['*', 'ann', 'ann@example.com;bob@example.com', '*@', 'a*@example.com', '@example.com'])
        assert.throws(() => readConfig({ ...WHOLE, [name]: value }), new RegExp(`^ConfigError: ${name} lists "`, 'u'));
    }
    const both = { ...WHOLE, TOLLGATE_OIDC_VIEWERS: 'ANN@example.com' };
    assert.throws(() => readConfig(both), /^ConfigError: TOLLGATE_OIDC_VIEWERS lists "ann@example.com"/u);
  });
});

describe('a bad value stops the start with one sentence that names the variable (contract 1, promise O-10)', () => {
  const BAD: Record<string, string[]> = {
    PORT: ['-1', '65536', '80.5', '1e3', '0x50', 'http', '8080 9090', '٣'],
    HOST: ['not a host', 'no host at all', 'http://127.0.0.1', '127.0.0.1:8080', 'a/b'],
    DATABASE_URL: [
      'mysql://db/x',
      'mysql://user:word@127.0.0.1/x',
      'somewhere',
      'db.example',
      'postgres:',
      'postgres:///x',
      '/var/x.sqlite',
    ],
    TOLLGATE_LEDGER_DAYS: ['0', '61', '90', 'never'],
    DATABASE_READ_URL: ['mysql://db/x', 'replica', 'postgres://without-a-primary/x'],
    TOLLGATE_SMTP_URL: ['http://mail', 'mail:25', 'smtp:'],
    REDIS_URL: ['http://cache', 'http://127.0.0.1', 'cache:6379', 'redis:', 'memory'],
    TOLLGATE_SANDBOX: ['maybe', 'yes', 'true', '1', 'ON'],
    TOLLGATE_WORKERS: ['0', '-1', '1.5', '257', 'many', 'AUTO'],
    TOLLGATE_BASE_URL: [
      'gw.example',
      'ftp://gw.example',
      '/api',
      'https://gw.example?x=1',
      'https://gw.example/?x=1',
      'https://gw.example#x',
      'https://',
    ],
    TOLLGATE_LEGACY_BASE_URL: ['old', 'ftp://old.example', 'ws://old.example', 'https://old.example/?a'],
    TOLLGATE_PORTAL_NAME: ['a\nb', 'x'.repeat(61)],
    TOLLGATE_PORTAL_COLOR: ['teal', '#fff', '0f766e', '#0f766e; x', 'rgb(1,2,3)'],
    TOLLGATE_CURRENCY: ['1', 'a very long currency name', '<b>'],
    TOLLGATE_CORS_ORIGINS: ['yes', 'https://app.example/', '*, https://app.example', 'null'],
    TOLLGATE_TRUSTED_PROXIES: [
      '10.0.0.0/33',
      '10.0.0/8',
      'proxy.example',
      '::/129',
      '10.0.0.0/',
      '10.0.0.1/8/8',
      '10.0.0.1;::1',
      '10.0.0.1, proxy.example',
    ],
    TOLLGATE_PRIVATE_HOSTS: [
      'http://media.internal',
      'media.internal/path',
      'media.internal:99999',
      'a b',
      'media:port',
    ],
    TOLLGATE_OIDC_ISSUER: [
      'id.example',
      'http://id.example',
      'http://localhost.example',
      'https://u:p@id.example',
      'https://id.example?x=1',
      'https://id.example#x',
    ],
    TOLLGATE_TASK_POLL_MS: ['often', '0', '49', '600001', '5s', '-5'],
    TOLLGATE_MAX_BODY_MB: ['0', '1025', '0.5', '1.5', '64MB'],
    TOLLGATE_MAX_CONNECTIONS_PER_ADDRESS: ['0', '-1', '1.5', 'many', '1000001'],
    TOLLGATE_REQUEST_LOG_DAYS: ['0', '-1', 'long', '36501'],
    TOLLGATE_USAGE_DAYS: ['0', '-1', 'long', '36501', '89'],
    TOLLGATE_BODY_DAYS: ['0', '1.5', 'long'],
    TOLLGATE_KEEP_RESPONSES_DAYS: ['-1', '1.5', 'long'],
    LOG_LEVEL: ['loud', 'verbose', 'INFO', '30'],
    TOLLGATE_SANBOX: ['off'],
    TOLLGATE_OPERATOR_KEY: ['', 'short', '        ', 'two words here'],
    TOLLGATE_OPERATOR_PASSWORD: ['', 'short'],
    TOLLGATE_SECRET: ['', 'only-15-letters'],
  };

  for (const [name, values] of Object.entries(BAD)) {
    test(name, () => {
      for (const value of values) {
        const sentence = refusal(name, value);
        assert.notEqual(sentence, undefined, `${name}="${value}" was accepted`);
        assert.match(sentence ?? '', new RegExp(`^${name} `, 'u'));
        assert.match(sentence ?? '', /^[^\n]+\.$/u);
      }
    });
  }

  test('usage is not forgotten before the log whose late charges change it, and both settings are named', () => {
    assert.throws(
      () => readConfig({ TOLLGATE_REQUEST_LOG_DAYS: '2', TOLLGATE_USAGE_DAYS: '1' }),
      /^ConfigError: TOLLGATE_USAGE_DAYS must not be less than TOLLGATE_REQUEST_LOG_DAYS, which is 2\.$/u,
    );
    assert.equal(readConfig({ TOLLGATE_REQUEST_LOG_DAYS: '1', TOLLGATE_USAGE_DAYS: '1' }).usageDays, 1);
  });

  test('of several bad values one is reported', () => {
    assert.throws(() => readConfig({ PORT: 'x', LOG_LEVEL: 'y' }), /^ConfigError: (?:PORT|LOG_LEVEL) must [^.]+\.$/u);
  });
});

test('entries of the ledger leave only where there is an export, and not before their requests (contract-2 12)', () => {
  const given = { DATABASE_URL: 'postgres://db/x', TOLLGATE_EXPORT: 'file:///export', TOLLGATE_LEDGER_DAYS: '365' };
  assert.equal(readConfig(given).ledgerDays, 365);
  assert.throws(() => readConfig({ ...given, TOLLGATE_EXPORT: '' }), /TOLLGATE_LEDGER_DAYS needs TOLLGATE_EXPORT/);
  assert.throws(() => readConfig({ ...given, DATABASE_URL: '' }), /TOLLGATE_LEDGER_DAYS needs DATABASE_URL/);
  assert.throws(
    () => readConfig({ ...given, TOLLGATE_LEDGER_DAYS: '80' }),
    /not be less than TOLLGATE_REQUEST_LOG_DAYS/,
  );
});

describe('no sentence shows a secret', () => {
  test('of the variables that hold secrets, or addresses with passwords', () => {
    const given: [string, string][] = [
      ['TOLLGATE_OPERATOR_KEY', 'hunter2'],
      ['TOLLGATE_OPERATOR_PASSWORD', 'hunter2'],
      ['TOLLGATE_SECRET', 'hunter2'],
      ['DATABASE_URL', 'mysql://root:hunter2@db/x'],
      ['DATABASE_READ_URL', 'mysql://root:hunter2@db/x'],
      ['REDIS_URL', 'http://:hunter2@cache'],
    ];
    for (const [name, value] of given) assert.doesNotMatch(refusal(name, value) ?? 'hunter2', /hunter2/u, name);
  });

  test('of a base address that was given with a password', () => {
    for (const name of ['TOLLGATE_BASE_URL', 'TOLLGATE_LEGACY_BASE_URL'])
      assert.doesNotMatch(refusal(name, 'https://admin:hunter2@gw.example') ?? 'hunter2', /hunter2/u, name);
  });
});

describe('files of settings (contract-2 10)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-settings-'));
  after(() => rmSync(folder, { recursive: true }));
  const file = (text: string): string => {
    const name = join(folder, String(Math.random()));
    writeFileSync(name, text);
    return name;
  };

  test('any setting may be read from a file, without the end of its line', () => {
    const config = readConfig({
      TOLLGATE_SECRET_FILE: file('a secret of many characters\n'),
      PORT_FILE: file('0\n'),
      DATABASE_URL_FILE: file('postgres://u:p@db/x\r\n'),
      TOLLGATE_OPERATOR_KEY_FILE: '',
      SOMEBODY_ELSES_FILE: '/does/not/exist',
    });
    assert.deepEqual(
      [config.secret, config.port, config.databaseUrl, config.operatorKey],
      ['a secret of many characters', 0, 'postgres://u:p@db/x', undefined],
    );
  });

  test('both at once, a file that is not there and a value that is refused name the variable, and no value', () => {
    for (const [environment, sentence] of [
      [
        { TOLLGATE_SECRET: SECRET, TOLLGATE_SECRET_FILE: file(SECRET) },
        /TOLLGATE_SECRET and TOLLGATE_SECRET_FILE are both set/,
      ],
      [{ LOG_LEVEL_FILE: join(folder, 'none') }, /LOG_LEVEL_FILE names a file that cannot be read \(ENOENT\)/],
      [{ TOLLGATE_SECRET_FILE: file('short') }, /TOLLGATE_SECRET must have at least 16/],
      [{ TOLLGATE_NOTHING_FILE: file('x') }, /TOLLGATE_NOTHING_FILE is not a setting/],
    ] as const) {
      assert.throws(
        () => readConfig(environment),
        (error) => error instanceof ConfigError && sentence.test(error.message) && !error.message.includes(SECRET),
      );
    }
  });

  test('the first start tells its secrets on stdout or in a file, and nowhere else', () => {
    assert.equal(readConfig({ TOLLGATE_FIRST_START: 'file' }).firstStart, 'file');
    assert.match(refusal('TOLLGATE_FIRST_START', 'mail') ?? '', /TOLLGATE_FIRST_START must be "print" or "file"/);
  });
});
