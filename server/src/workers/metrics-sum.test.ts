import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Metrics } from '../telemetry/metrics.ts';
import { MetricsSum } from './metrics-sum.ts';
import { restartPause } from './restart-pause.ts';

const request = {
  endpoint: '/v1/chat/completions',
  status: 200,
  error_code: null,
  channel_id: null,
  model: null,
  attempts: '[]',
  usage: null,
  first_byte_ms: 10,
  total_ms: 30,
  usage_source: 'upstream',
  charge: 500_000_000n,
  mode: 'live',
};

/** A worker that has served so many requests, and answers when asked. */
function worker(sum: MetricsSum, id: number, requests: number) {
  const metrics = new Metrics({ worker: String(id) });
  for (let count = 0; count < requests; count++) metrics.ended(request);
  metrics.open.set(1);
  metrics.liveTasks.set(7);
  const ask = (question: number): void =>
    void metrics.registry.getMetricsAsJSON().then((series) => sum.heard(id, series, question));
  return { id, ask, metrics };
}

function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((candidate) => candidate.startsWith(series));
  return line === undefined ? undefined : Number(line.slice(line.lastIndexOf(' ')));
}

const SERVED =
  'tollgate_requests_total{endpoint="/v1/chat/completions",status="200",code="ok",model="",provider="",channel=""}';

test('counts and levels of all workers are summed, what each knows of all is not, and memory stays apart', async () => {
  const sum = new MetricsSum();
  const text = await sum.gather([worker(sum, 1, 3), worker(sum, 2, 4)]);
  assert.equal(valueOf(text, SERVED), 7);
  assert.equal(valueOf(text, 'tollgate_request_seconds_count'), 7);
  assert.equal(valueOf(text, 'tollgate_open_calls '), 2);
  assert.equal(valueOf(text, 'tollgate_tasks_live '), 7);
  for (const id of ['1', '2'])
    assert.ok((valueOf(text, `tollgate_worker_memory_bytes{worker="${id}",kind="rss"}`) ?? 0) > 1_000_000);
});

test('no sum falls when a worker is gone, and its levels go with it', async () => {
  const sum = new MetricsSum();
  const [one, two, three] = [worker(sum, 1, 3), worker(sum, 2, 4), worker(sum, 3, 5)];
  await sum.gather([one, two, three]);
  sum.left(1);
  sum.left(2);
  const text = await sum.gather([three]);
  assert.equal(valueOf(text, SERVED), 12);
  assert.equal(valueOf(text, 'tollgate_charged_total{mode="live",model="",provider="",channel=""}'), 6);
  assert.equal(valueOf(text, 'tollgate_request_seconds_bucket{le="0.05",endpoint="/v1/chat/completions"}'), 12);
  assert.equal(valueOf(text, 'tollgate_open_calls '), 1);
  assert.equal(valueOf(text, 'tollgate_worker_memory_bytes{worker="1"'), undefined);
});

test('a worker that dies instead of answering holds nobody up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] }); // no timeout ever ends
  const sum = new MetricsSum();
  const gathered = sum.gather([worker(sum, 1, 3), { id: 2, ask: () => sum.left(2) }]);
  assert.equal(valueOf(await gathered, SERVED), 3);
});

test('a slot whose worker dies again and again is filled more and more seldom', () => {
  assert.deepEqual([1, 2, 3, 6, 40].map(restartPause.of), [1_000, 2_000, 4_000, 30_000, 30_000]);
});
