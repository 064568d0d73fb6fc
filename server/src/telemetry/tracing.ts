// Spans for OpenTelemetry, by its own variables (OTEL_*). They are made of the request log's line when a request is over, so
// that nothing waits for them, and nothing of the library is loaded where no collector is named.
import type { Context, Span } from '@opentelemetry/api';
import {
  type Attributes,
  inferenceSpan,
  type ObservedCall,
  serverOf,
  type TracedChannel,
} from './gen-ai-attributes.ts';
import type { CountedRequest } from './counted-events.ts';
import { type OtelSettings, samplerOf } from './otel-settings.ts';

export type { ObservedCall } from './gen-ai-attributes.ts';
export { type OtelSettings, readOtel } from './otel-settings.ts';

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
  /** A channel of the catalogue, whose follower sets this. */
  channelOf: (id: string) => TracedChannel | undefined;
  /** The request is part of its caller's own trace where that sends one (`traceparent`). */
  arrived(requestId: string, traceparent: string | undefined): void;
  /** Its span is made when it has left; of a request that never arrived, such as a line of a batch, at once. */
  ended(request: TracedRequest): void;
  /** Nothing more is sent or read. */
  left(requestId: string, observe?: () => ObservedCall): void;
  /** Sends what is waiting, as far as the collector takes it. */
  stop(): Promise<void>;
}

interface Attempt {
  channel_id: string;
  status: number | null;
  error: string | null;
  ms: number;
}

interface Arrived {
  parent: Context | undefined;
  row: TracedRequest | undefined;
  end: number;
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
  const open = new Map<string, Arrived>();
  const failed = { code: api.SpanStatusCode.ERROR };
  const under = (span: Span): Context => api.trace.setSpan(api.ROOT_CONTEXT, span);

  const addAttempts = (context: Context, attempts: readonly PlacedAttempt[]): void => {
    for (const [at, { channel_id, status, error, start, end }] of attempts.entries()) {
      const channel = tracing.channelOf(channel_id);
      const attributes = {
        'http.request.method': 'POST',
        ...serverOf(channel?.baseUrl ?? ''),
        ...given('http.response.status_code', status),
        ...given('error.type', error),
        ...(at > 0 && { 'http.request.resend_count': at }),
        'tollgate.channel_id': channel_id,
        ...given('tollgate.channel', channel?.name),
      };
      const span = tracer.startSpan('POST', { kind: api.SpanKind.CLIENT, startTime: start, attributes }, context);
      if (error !== null) span.setStatus(failed);
      span.end(end);
    }
  };

  const write = ({ parent, end }: Arrived, row: TracedRequest, observed: ObservedCall | undefined): void => {
    const startTime = end - row.total_ms;
    const whole = { kind: api.SpanKind.SERVER, startTime, attributes: attributesOf(row) };
    const span = tracer.startSpan(`POST ${row.endpoint}`, whole, parent ?? api.ROOT_CONTEXT);
    if (row.status >= 500) span.setStatus(failed);
    if (span.isRecording()) {
      const attempts = placeAttempts(row, end);
      const [first] = attempts;
      const inference = first === undefined ? undefined : inferenceSpan(row, lastChannel(row), observed);
      if (first === undefined || inference === undefined) addAttempts(under(span), attempts);
      else {
        const options = { kind: api.SpanKind.CLIENT, startTime: first.start, attributes: inference.attributes };
        const call = tracer.startSpan(inference.name, options, under(span));
        if (row.error_code !== null) call.setStatus(failed);
        addAttempts(under(call), attempts);
        call.end(end);
      }
    }
    span.end(end);
  };
  const lastChannel = ({ channel_id }: TracedRequest): TracedChannel | undefined =>
    channel_id === null ? undefined : tracing.channelOf(channel_id);

  const tracing: Tracing = {
    channelOf: () => undefined,
    arrived(requestId, traceparent = '') {
      const [, traceId, spanId, flags] = TRACE_PARENT.exec(traceparent.trim()) ?? [];
      const entry: Arrived = { parent: undefined, row: undefined, end: 0 };
      open.set(requestId, entry);
      if (traceId === undefined || spanId === undefined || flags === undefined) return;
      const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
      if (api.isSpanContextValid(context)) entry.parent = api.trace.setSpanContext(api.ROOT_CONTEXT, context);
    },
    ended(row) {
      const end = Date.now();
      const entry = open.get(row.id);
      if (entry === undefined) write({ parent: undefined, row, end }, row, undefined);
      else Object.assign(entry, { row, end });
    },
    left(requestId, observe) {
      const entry = open.get(requestId);
      open.delete(requestId);
      if (entry?.row !== undefined) write(entry, entry.row, observe?.());
    },
    stop: () => provider.shutdown().catch(() => {}),
  };
  return tracing;
}

interface PlacedAttempt extends Attempt {
  start: number;
  end: number;
}

/** The log has how long each took, not when it began: they are counted back from the first byte of the answer. */
function placeAttempts(row: TracedRequest, end: number): PlacedAttempt[] {
  const begin = end - row.total_ms;
  let until = row.first_byte_ms === null ? end : Math.min(end, begin + row.first_byte_ms);
  const placed: PlacedAttempt[] = [];
  for (const [back, attempt] of (JSON.parse(row.attempts) as Attempt[]).toReversed().entries()) {
    const start = Math.max(begin, until - attempt.ms);
    placed.unshift({ ...attempt, start, end: back === 0 ? end : until });
    until = start;
  }
  return placed;
}

function attributesOf(request: TracedRequest): Attributes {
  return {
    'http.request.method': 'POST',
    'http.route': request.endpoint,
    'http.response.status_code': request.status,
    ...given('error.type', request.error_code),
    ...given('tollgate.model', request.model),
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

/** An entry, unless there is nothing to tell. */
function given<K extends string, V>(name: K, value: V | null | undefined): { [name in K]: V } | Record<string, never> {
  return value === undefined || value === null ? {} : ({ [name]: value } as { [name in K]: V });
}
