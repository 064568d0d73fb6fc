import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from './metrics.ts';

async function read(metrics: Metrics): Promise<Map<string, number>> {
  const text = await metrics.registry.metrics();
  const lines = text.matchAll(/^tollgate_nodejs_eventloop_lag_(?:(\w+)_)?seconds (\S+)$/gm);
  return new Map([...lines].map(([, figure = 'now', value]) => [figure, Number(value)]));
}

test('delays of the event loop stand under the usual names, each time', async () => {
  const metrics = new Metrics();
  for (let look = 0; look < 98; look++) metrics.lag.note(1);
  metrics.lag.note(30);
  metrics.lag.note(250);
  const figures = await read(metrics);
  const near = (figure: string, seconds: number): void => {
    const value = figures.get(figure) ?? Number.NaN;
    assert.ok(Math.abs(value - seconds) < seconds / 100, `${figure}: ${value}, not about ${seconds}`);
  };
  near('min', 0.001);
  near('p50', 0.001);
  near('p90', 0.001);
  near('p99', 0.03);
  near('max', 0.25);
  near('mean', 0.003_78);
  near('stddev', 0.024_94);
  assert.ok((figures.get('now') ?? 0) > 0);
  assert.deepEqual((await read(metrics)).get('max'), 0, 'counted from one reading to the next');
});
