import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AggregatorRegistry, Histogram as LibraryHistogram, Registry } from 'prom-client';
import { Histogram } from './charge-metrics.ts';

const facts = { name: 'waits_seconds', help: 'Waits', buckets: [0.1, 1, 5] };
const seen = [0, 0.1, 0.10001, 1, 4.2, 5, 5.1, 900];

function ours(): Registry {
  const registry = new Registry();
  const histogram = new Histogram({ ...facts, labelNames: ['endpoint'], registry });
  for (const value of seen) histogram.of('/a').observe(value);
  histogram.of('/b').observe(2);
  return registry;
}

function theirs(): Registry {
  const registry = new Registry();
  const histogram = new LibraryHistogram({ ...facts, labelNames: ['endpoint'], registers: [registry] });
  for (const value of seen) histogram.observe({ endpoint: '/a' }, value);
  histogram.observe({ endpoint: '/b' }, 2);
  return registry;
}

test('a scrape reads the same as from the library', async () => {
  assert.equal(await ours().metrics(), await theirs().metrics());
});

test('several processes are added up', async () => {
  const each = async (registry: Registry) => registry.getMetricsAsJSON();
  const sum = async (make: () => Registry) =>
    AggregatorRegistry.aggregate([await each(make()), await each(make())]).metrics();
  assert.equal(await sum(ours), await sum(theirs));
  assert.match(await sum(ours), /waits_seconds_count\{endpoint="\/a"\} 16\n/);
});
