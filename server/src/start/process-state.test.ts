import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { describeProcess, describeSettings, memoryOfWorkers } from './process-state.ts';
import { Metrics } from '../telemetry/metrics.ts';

test('the memory of every worker is read from the metrics they share, in the order of their slots', async () => {
  const texts = await Promise.all(['10', '2'].map(async (worker) => new Metrics({ worker }).registry.metrics()));
  const workers = memoryOfWorkers(texts.join('\n'));
  assert.deepEqual(
    workers.map(({ worker }) => worker),
    ['2', '10'],
  );
  for (const { rss_bytes, heap_bytes } of workers) assert.ok(rss_bytes > heap_bytes && heap_bytes > 1_000_000);
});

test('Redis is not used, reachable or away', () => {
  const stateOf = (url: string | undefined, isRedisAway: boolean) =>
    describeProcess({
      config: readConfig(url === undefined ? {} : { REDIS_URL: url }),
      store: { dialect: 'sqlite' },
      isRedisAway,
      metrics: '',
    }).redis;
  assert.equal(stateOf(undefined, false), 'not_used');
  assert.equal(stateOf('redis://x', false), 'reachable');
  assert.equal(stateOf('redis://x', true), 'away');
});

const SECRETS = {
  DATABASE_URL: 'postgres://user:hidden-word@db.example/x',
  DATABASE_READ_URL: 'postgres://user:hidden-word@replica.example/x',
  REDIS_URL: 'redis://:hidden-word@redis.example',
  TOLLGATE_OPERATOR_KEY: 'hidden-word-key',
  TOLLGATE_OPERATOR_PASSWORD: 'hidden-word-password',
  TOLLGATE_SECRET: 'hidden-word-that-is-long',
  TOLLGATE_OIDC_CLIENT_SECRET: 'hidden-word-of-the-client',
};

const OIDC = {
  TOLLGATE_BASE_URL: 'https://gateway.example',
  TOLLGATE_OIDC_ISSUER: 'https://id.example',
  TOLLGATE_OIDC_CLIENT_ID: 'tollgate',
  TOLLGATE_OIDC_ADMINS: 'ada@example.com',
};

test('every setting of docs/settings.md is described by its name and the value in force', () => {
  const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
  const described = describeSettings(readConfig({ TOLLGATE_MAX_BODY_MB: '8', TOLLGATE_SANDBOX: 'off' }));
  const names = new Set(described.map(({ name }) => name));
  for (const name of page.matchAll(/^\| (.+?) \|/gm))
    for (const [, variable = ''] of (name[1] ?? '').matchAll(
      /`((?:TOLLGATE_|LOG_|DATABASE_|REDIS_)[A-Z_]+|PORT|HOST)`/g,
    ))
      assert.ok(names.has(variable), variable);
  const value = (name: string) => described.find((setting) => setting.name === name)?.value;
  assert.deepEqual(
    ['PORT', 'TOLLGATE_MAX_BODY_MB', 'TOLLGATE_SANDBOX', 'TOLLGATE_BASE_URL', 'DATABASE_URL'].map(value),
    ['8080', '8', 'off', '', 'not set'],
  );
});

test('of a secret nothing is shown but that it is set (promise A-03)', () => {
  const described = describeSettings(readConfig({ ...SECRETS, ...OIDC }));
  assert.doesNotMatch(JSON.stringify(described), /hidden/);
  const set = described.filter(({ is_secret: isSecret, value }) => isSecret && value === 'set').map(({ name }) => name);
  assert.deepEqual(set.toSorted(), Object.keys(SECRETS).toSorted());
});
