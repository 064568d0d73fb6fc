import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from './config.ts';
import { describeProcess, memoryOfWorkers } from './process-state.ts';
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
