import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CountedRequest } from './counted-events.ts';
import { Metrics } from './metrics.ts';

const request = (more: Partial<CountedRequest> = {}): CountedRequest => ({
  endpoint: '/v1/chat/completions',
  status: 200,
  error_code: null,
  model: 'm',
  channel_id: 'chn_1',
  attempts: '[{"channel_id":"chn_1","status":200,"error":null,"ms":300}]',
  usage: '{"input_tokens":7,"output_tokens":3}',
  first_byte_ms: 40,
  total_ms: 400,
  usage_source: 'upstream',
  charge: 1_500_000_000n,
  mode: 'live',
  ...more,
});

/** The samples of one metric as Prometheus reads them: labels -> value. */
async function samples(metrics: Metrics, name: string): Promise<Record<string, number>> {
  const text = await metrics.registry.metrics();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => [line.slice(name.length, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

test('requests are counted by endpoint, status and whether they went well', async () => {
  const metrics = new Metrics();
  metrics.ended(request());
  metrics.ended(request());
  metrics.ended(request({ status: 502, error_code: 'upstream_error', usage_source: null, first_byte_ms: null }));
  assert.deepEqual(await samples(metrics, 'tollgate_requests_total'), {
    '{endpoint="/v1/chat/completions",status="200",code="ok",model="m",provider="",channel="chn_1"}': 2,
    '{endpoint="/v1/chat/completions",status="502",code="error",model="m",provider="",channel="chn_1"}': 1,
  });
  assert.deepEqual(Object.values(await samples(metrics, 'tollgate_request_seconds_count')), [3]);
  assert.deepEqual(Object.values(await samples(metrics, 'tollgate_first_byte_seconds_count')), [2]);
  assert.deepEqual(Object.values(await samples(metrics, 'tollgate_first_byte_seconds_sum')), [0.08]);
});

test('charges are in the operator currency, live and test apart, and only of settled requests', async () => {
  const metrics = new Metrics();
  metrics.ended(request());
  metrics.ended(request({ charge: 1n, usage_source: 'counted' }));
  metrics.ended(request({ mode: 'test', charge: 0n }));
  metrics.ended(request({ charge: 9n, usage_source: null }));
  const charged = await samples(metrics, 'tollgate_charged_total');
  assert.ok(Math.abs((charged['{mode="live",model="m",provider="",channel="chn_1"}'] ?? 0) - 1.500000001) < 1e-12);
  assert.equal(charged['{mode="test",model="m",provider="",channel="chn_1"}'], 0);
  assert.deepEqual(await samples(metrics, 'tollgate_usage_source_total'), {
    '{source="upstream"}': 2,
    '{source="counted"}': 1,
  });
});

test('labels are names of the catalogue, never text of a client (contract-2 10)', async () => {
  const metrics = new Metrics();
  metrics.channelName = () => 'main';
  metrics.providerOf = () => 'openai';
  metrics.isModel = (id) => id === 'm';
  metrics.ended(request());
  metrics.ended(
    request({ model: 'text of a client', channel_id: null, attempts: '[]', usage: null, usage_source: null }),
  );
  const where = 'model="m",provider="openai",channel="main"';
  assert.deepEqual(await samples(metrics, 'tollgate_tokens_total'), {
    [`{direction="input",${where}}`]: 7,
    [`{direction="output",${where}}`]: 3,
  });
  assert.deepEqual(await samples(metrics, 'tollgate_upstream_seconds_sum'), { [`{${where}}`]: 0.3 });
  assert.equal(Object.values(await samples(metrics, 'tollgate_build_info'))[0], 1);
  const text = await metrics.registry.metrics();
  assert.doesNotMatch(text, /text of a client/);
  // What promtool check metrics says of a gauge that is named like a counter.
  assert.doesNotMatch(text, /^# TYPE \w+_total gauge$/m);
});

test('refusals at the door, swept holds and gauges are reported', async () => {
  const metrics = new Metrics();
  metrics.refused('invalid_api_key');
  metrics.refused('invalid_api_key');
  metrics.swept(3);
  metrics.open.set(7);
  metrics.breakers.set({ channel: 'openai' }, 1);
  assert.deepEqual(await samples(metrics, 'tollgate_refused_total'), { '{code="invalid_api_key"}': 2 });
  assert.deepEqual(Object.values(await samples(metrics, 'tollgate_orphaned_holds_total')), [3]);
  assert.deepEqual(Object.values(await samples(metrics, 'tollgate_open_calls')), [7]);
  assert.deepEqual(Object.values(await samples(metrics, 'tollgate_channel_open_breaker')), [1]);
});

test('several can live in one process, each with its own numbers and those of the process', async () => {
  const [one, other] = [new Metrics(), new Metrics()];
  one.refused('not_found');
  assert.deepEqual(await samples(other, 'tollgate_refused_total'), {});
  assert.notDeepEqual(await samples(other, 'tollgate_process_resident_memory_bytes'), {});
});

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
