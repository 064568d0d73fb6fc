// Spans for OpenTelemetry, by its own variables (OTEL_*). They are made of the request log's line when a request is over, so
// that nothing waits for them, and nothing of the library is loaded where no collector is named.
import type { Context, Span } from '@opentelemetry/api';
import type * as Sdk from '@opentelemetry/sdk-trace';
import type { CountedRequest } from './metrics.ts';

/** What a span tells, as the request log has it. */
export interface TracedRequest extends CountedRequest {
  id: string;
  account_id: string;
  token_id: string;
  group_name: string;
  model: string | null;
  /** As JSON text. */
  attempts: string;
  /** As JSON text. */
  usage: string | null;
}

export interface Tracing {
  /** The request is part of its caller's own trace (`traceparent`). */
  arrived(requestId: string, traceparent: string): void;
  ended(request: TracedRequest): void;
  /** Whatever became of it, nobody asks for its trace any more. */
  left(requestId: string): void;
  /** Sends what is waiting, as far as the collector takes it. */
  stop(): Promise<void>;
}

interface Attempt {
  channel_id: string;
  status: number | null;
  error: string | null;
  ms: number;
}

export type OtelSettings = Readonly<Record<string, string>>;

/** The variables, where they ask for spans; undefined where they do not. */
export function readOtel(environment: Readonly<Record<string, string | undefined>>): OtelSettings | undefined {
  const settings = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      name.startsWith('OTEL_') && value !== undefined && value.trim() !== '' ? [[name, value.trim()]] : [],
    ),
  );
  if (settings['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined;
  const exporter = settings['OTEL_TRACES_EXPORTER'];
  if (exporter !== undefined && exporter !== 'otlp') return undefined;
  const isNamed = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].some(
    (name) => name in settings,
  );
  return isNamed || exporter === 'otlp' ? settings : undefined;
}

const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const NANO = 1e9;

export async function openTracing(settings: OtelSettings): Promise<Tracing> {
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const number = (name: string): number | undefined =>
    /^\d+$/.test(settings[name] ?? '') ? Number(settings[name]) : undefined;
  const batches = {
    exporter: new OTLPTraceExporter(), // its address, headers and time limit it reads itself
    ...given('scheduledDelayMillis', number('OTEL_BSP_SCHEDULE_DELAY')),
    ...given('exportTimeoutMillis', number('OTEL_BSP_EXPORT_TIMEOUT')),
    ...given('maxQueueSize', number('OTEL_BSP_MAX_QUEUE_SIZE')),
    ...given('maxExportBatchSize', number('OTEL_BSP_MAX_EXPORT_BATCH_SIZE')),
  };
  const named = resources.resourceFromAttributes({ 'service.name': 'tollgate' });
  const reported = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(named).merge(reported),
    spanProcessors: [new sdk.BatchSpanProcessor(batches)],
    ...given('sampler', samplerOf(sdk, settings)),
  });
  const tracer = provider.getTracer('tollgate');
  const parents = new Map<string, Context>();

  const addAttempts = (request: TracedRequest, span: Span, end: number): void => {
    const context = api.trace.setSpan(api.ROOT_CONTEXT, span);
    let until = end;
    for (const { channel_id, status, error, ms } of (JSON.parse(request.attempts) as Attempt[]).toReversed()) {
      const startTime = Math.max(end - request.total_ms, until - ms);
      const attributes = {
        'tollgate.channel_id': channel_id,
        ...given('http.response.status_code', status),
        ...given('error.type', error),
      };
      const attempt = tracer.startSpan('attempt', { kind: api.SpanKind.CLIENT, startTime, attributes }, context);
      if (error !== null) attempt.setStatus({ code: api.SpanStatusCode.ERROR });
      attempt.end(until);
      until = startTime;
    }
  };

  return {
    arrived(requestId, traceparent) {
      const [, traceId, spanId, flags] = TRACE_PARENT.exec(traceparent.trim()) ?? [];
      if (traceId === undefined || spanId === undefined || flags === undefined) return;
      const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
      if (api.isSpanContextValid(context)) parents.set(requestId, api.trace.setSpanContext(api.ROOT_CONTEXT, context));
    },
    left: (requestId) => void parents.delete(requestId),
    ended(request) {
      const end = Date.now();
      const options = {
        kind: api.SpanKind.SERVER,
        startTime: end - request.total_ms,
        attributes: attributesOf(request),
      };
      const span = tracer.startSpan(request.endpoint, options, parents.get(request.id) ?? api.ROOT_CONTEXT);
      if (request.status >= 500) span.setStatus({ code: api.SpanStatusCode.ERROR });
      if (span.isRecording()) addAttempts(request, span, end);
      span.end(end);
    },
    stop: () => provider.shutdown().catch(() => {}),
  };
}

/** Names of the semantic conventions where they have one. */
function attributesOf(request: TracedRequest): Record<string, string | number> {
  const usage = (request.usage === null ? {} : JSON.parse(request.usage)) as Record<string, number>;
  return {
    'http.route': request.endpoint,
    'http.response.status_code': request.status,
    ...given('error.type', request.error_code),
    ...given('gen_ai.request.model', request.model),
    ...given('gen_ai.usage.input_tokens', usage['input_tokens']),
    ...given('gen_ai.usage.output_tokens', usage['output_tokens']),
    ...given('tollgate.first_byte_ms', request.first_byte_ms),
    ...given('tollgate.channel_id', request.channel_id),
    'tollgate.request_id': request.id,
    'tollgate.account_id': request.account_id,
    'tollgate.token_id': request.token_id,
    'tollgate.group': request.group_name,
    'tollgate.mode': request.mode,
    'tollgate.charge': Number(request.charge) / NANO,
  };
}

/** https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables; undefined: all, as the parent says. */
function samplerOf(sdk: typeof Sdk, settings: OtelSettings): Sdk.Sampler | undefined {
  const name = settings['OTEL_TRACES_SAMPLER'] ?? '';
  const share = Number(settings['OTEL_TRACES_SAMPLER_ARG'] ?? 1);
  const root = rootSampler(sdk, name.replace(/^parentbased_/, ''), share);
  return root !== undefined && name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
}

function rootSampler(sdk: typeof Sdk, name: string, share: number): Sdk.Sampler | undefined {
  if (name === 'always_on') return new sdk.AlwaysOnSampler();
  if (name === 'always_off') return new sdk.AlwaysOffSampler();
  return name === 'traceidratio' ? new sdk.TraceIdRatioBasedSampler(share) : undefined;
}

/** An entry, unless there is nothing to tell. */
function given<K extends string, V>(name: K, value: V | null | undefined): { [name in K]: V } | Record<string, never> {
  return value === undefined || value === null ? {} : ({ [name]: value } as { [name in K]: V });
}
