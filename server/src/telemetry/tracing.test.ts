import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { openTracing, readOtel, type TracedRequest, type Tracing } from './tracing.ts';

interface WireSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface Collected {
  service: unknown;
  spans: WireSpan[];
}

async function collect(t: TestContext, work: (tracing: Tracing) => void, more = {}): Promise<Collected> {
  const collected: Collected = { service: undefined, spans: [] };
  const collector = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      assert.equal(request.url, '/v1/traces');
      const { resourceSpans } = JSON.parse(Buffer.concat(pieces).toString()) as {
        resourceSpans: { resource: Pick<WireSpan, 'attributes'>; scopeSpans: { spans: WireSpan[] }[] }[];
      };
      for (const { resource, scopeSpans } of resourceSpans) {
        collected.service = valueOf(resource, 'service.name');
        for (const { spans } of scopeSpans) collected.spans.push(...spans);
      }
      response.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  t.after(() => collector.close());
  const variables = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` };
  Object.assign(process.env, variables, more);
  t.after(() => {
    for (const name of Object.keys({ ...variables, ...more })) delete process.env[name];
  });
  const settings = readOtel(process.env);
  assert.ok(settings !== undefined);
  const tracing = await openTracing(settings);
  work(tracing);
  await tracing.stop();
  return collected;
}

function valueOf({ attributes }: Pick<WireSpan, 'attributes'>, key: string): unknown {
  const value = attributes.find((one) => one.key === key)?.value ?? {};
  const [first] = Object.values(value);
  return typeof first === 'string' && 'intValue' in value ? Number(first) : first;
}

const request = (more: Partial<TracedRequest> = {}): TracedRequest => ({
  id: 'req_1',
  account_id: 'acc_1',
  token_id: 'tok_1',
  group_name: 'default',
  endpoint: '/v1/chat/completions',
  model: 'gpt-4o',
  channel_id: 'chn_2',
  status: 200,
  error_code: null,
  attempts:
    '[{"channel_id":"chn_1","status":503,"error":"overloaded","ms":20},{"channel_id":"chn_2","status":200,"error":null,"ms":70}]',
  first_byte_ms: 95,
  total_ms: 100,
  usage: '{"input_tokens":12,"output_tokens":34}',
  usage_source: 'upstream',
  charge: 1_500_000n,
  mode: 'live',
  ...more,
});

test('a request is a span of its caller’s trace, and each attempt a child of it', async (t) => {
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const { service, spans } = await collect(t, (tracing) => {
    tracing.arrived('req_1', `00-${traceId}-${spanId}-01`);
    tracing.ended(request());
    tracing.left('req_1');
  });
  assert.equal(service, 'tollgate');
  const [whole, ...attempts] = spans.toSorted((a, b) => Number(a.name === 'attempt') - Number(b.name === 'attempt'));
  assert.ok(whole !== undefined);
  assert.deepEqual([whole.name, whole.traceId, whole.parentSpanId], ['/v1/chat/completions', traceId, spanId]);
  assert.equal(BigInt(whole.endTimeUnixNano) - BigInt(whole.startTimeUnixNano), 100_000_000n);
  const reported = [
    'gen_ai.request.model',
    'gen_ai.usage.output_tokens',
    'http.response.status_code',
    'tollgate.charge',
  ];
  assert.deepEqual(
    reported.map((key) => valueOf(whole, key)),
    ['gpt-4o', 34, 200, 0.0015],
  );
  assert.deepEqual(
    attempts
      .toSorted((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
      .map((one) => [
        one.parentSpanId === whole.spanId,
        valueOf(one, 'tollgate.channel_id'),
        valueOf(one, 'error.type'),
      ]),
    [
      [true, 'chn_1', 'overloaded'],
      [true, 'chn_2', undefined],
    ],
  );
});

test('what has no trace of its own begins one, and what is wrong in a header is left alone', async (t) => {
  const { service, spans } = await collect(
    t,
    (tracing) => {
      for (const wrong of ['', 'x', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`]) tracing.arrived('req_1', wrong);
      tracing.ended(request({ attempts: '[]', status: 502, error_code: 'upstream_error', usage: null, model: null }));
    },
    { OTEL_SERVICE_NAME: 'edge' },
  );
  assert.deepEqual([service, spans.length, spans[0]?.parentSpanId ?? ''], ['edge', 1, '']);
  assert.deepEqual(
    [spans[0]?.status.code, valueOf(spans[0] ?? { attributes: [] }, 'error.type')],
    [2, 'upstream_error'],
  );
});

test('the sampler that is named decides', async (t) => {
  const ended = (tracing: Tracing): void => tracing.ended(request());
  assert.equal((await collect(t, ended, { OTEL_TRACES_SAMPLER: 'always_off' })).spans.length, 0);
  const none = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
  assert.equal((await collect(t, ended, none)).spans.length, 0);
});

test('spans are wanted where a collector is named, unless they are switched off', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  assert.deepEqual(readOtel({ ...endpoint, PATH: '/bin' }), endpoint);
  assert.ok(readOtel({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }) !== undefined);
  assert.ok(readOtel({ OTEL_TRACES_EXPORTER: 'otlp' }) !== undefined);
  for (const off of [{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])
    assert.equal(readOtel({ ...endpoint, ...off }), undefined);
  assert.equal(readOtel({ OTEL_SERVICE_NAME: 'x', OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }), undefined);
});
