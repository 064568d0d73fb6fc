import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import type { TracedChannel } from './gen-ai-attributes.ts';
import { type ObservedCall, openTracing, readOtel, type TracedRequest, type Tracing } from './tracing.ts';

/** Kinds of spans on the wire. */
const SERVER = 2;
const CLIENT = 3;

interface WireSpan {
  name: string;
  kind: number;
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

const CHANNELS: Record<string, TracedChannel> = {
  chn_1: { name: 'first', provider: 'openai', baseUrl: 'https://api.openai.com/v1', models: new Map() },
  chn_2: {
    name: 'second',
    provider: 'openai',
    baseUrl: 'http://api.groq.com:8443/openai/v1',
    models: new Map([['gpt-4o', 'llama-4']]),
  },
};

const observed = (): ObservedCall => ({
  isStream: true,
  request: { 'gen_ai.request.temperature': 0.5, 'gen_ai.output.type': 'json' },
  response: { 'gen_ai.response.id': 'chatcmpl-1', 'gen_ai.response.finish_reasons': ['stop', 'length'] },
});

test('a request is a span of its caller’s trace, the model call a child by the GenAI conventions, each attempt below it', async (t) => {
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
  const { service, spans } = await collect(t, (tracing) => {
    tracing.channelOf = (id) => CHANNELS[id];
    tracing.arrived('req_1', `00-${traceId}-${spanId}-01`);
    tracing.ended(
      request({ usage: '{"input_tokens":12,"output_tokens":34,"cached_input_tokens":8,"reasoning_tokens":5}' }),
    );
    tracing.left('req_1', observed);
  });
  assert.equal(service, 'tollgate');
  const whole = spans.find(({ name }) => name === 'POST /v1/chat/completions');
  const call = spans.find(({ name }) => name === 'chat llama-4');
  assert.ok(whole !== undefined && call !== undefined, spans.map(({ name }) => name).join());
  assert.deepEqual([whole.traceId, whole.parentSpanId, whole.kind], [traceId, spanId, SERVER]);
  assert.deepEqual([call.parentSpanId, call.kind], [whole.spanId, CLIENT]);
  assert.equal(BigInt(whole.endTimeUnixNano) - BigInt(whole.startTimeUnixNano), 100_000_000n);
  assert.equal(call.endTimeUnixNano, whole.endTimeUnixNano);
  const { 'server.port': port, ...attributes } = Object.fromEntries(
    call.attributes.map(({ key }) => [key, valueOf(call, key)]),
  );
  assert.equal(port, 8443);
  assert.deepEqual(attributes, {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'groq',
    'gen_ai.request.model': 'llama-4',
    'server.address': 'api.groq.com',
    'gen_ai.output.type': 'json',
    'gen_ai.request.stream': true,
    'gen_ai.request.temperature': 0.5,
    'gen_ai.response.id': 'chatcmpl-1',
    'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }, { stringValue: 'length' }] },
    'gen_ai.response.time_to_first_chunk': 0.095,
    'gen_ai.usage.input_tokens': 12,
    'gen_ai.usage.output_tokens': 34,
    'gen_ai.usage.cache_read.input_tokens': 8,
    'gen_ai.usage.reasoning.output_tokens': 5,
  });
  assert.deepEqual(
    ['http.response.status_code', 'tollgate.charge', 'tollgate.model'].map((key) => valueOf(whole, key)),
    [200, 0.0015, 'gpt-4o'],
  );
  assert.ok(!whole.attributes.some(({ key }) => key.startsWith('gen_ai.usage')), 'tokens are counted once');
  const start = (one: WireSpan): number =>
    Number(BigInt(one.startTimeUnixNano) - BigInt(whole.startTimeUnixNano)) / 1e6;
  const attempts = spans.filter(({ name }) => name === 'POST').toSorted((a, b) => start(a) - start(b));
  assert.deepEqual(
    attempts.map((one) => [
      one.parentSpanId === call.spanId,
      start(one),
      valueOf(one, 'tollgate.channel'),
      valueOf(one, 'error.type'),
      valueOf(one, 'http.request.resend_count'),
      valueOf(one, 'server.address'),
    ]),
    [
      [true, 5, 'first', 'overloaded', undefined, 'api.openai.com'],
      [true, 25, 'second', undefined, 1, 'api.groq.com'],
    ],
  );
});

test('the line of a request that never arrived is a span at once; without an attempt no model was called', async (t) => {
  const { spans } = await collect(t, (tracing) => {
    tracing.channelOf = (id) => CHANNELS[id];
    tracing.ended(request({ id: 'batch_1/a' }));
    tracing.arrived('req_2', undefined);
    tracing.ended(request({ id: 'req_2', attempts: '[]', status: 402, error_code: 'insufficient_quota' }));
    tracing.left('req_2');
    tracing.arrived('req_3', undefined);
    tracing.left('req_3');
  });
  assert.deepEqual(spans.map(({ name }) => name).toSorted(), [
    'POST',
    'POST',
    'POST /v1/chat/completions',
    'POST /v1/chat/completions',
    'chat llama-4',
  ]);
});

test('what has no trace of its own begins one, and what is wrong in a header is left alone', async (t) => {
  const { service, spans } = await collect(
    t,
    (tracing) => {
      for (const wrong of ['', 'x', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`]) tracing.arrived('req_1', wrong);
      tracing.ended(request({ attempts: '[]', status: 502, error_code: 'upstream_error', usage: null, model: null }));
      tracing.left('req_1');
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
