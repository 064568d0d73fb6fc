// Metrics of this process, and traces where a collector is set.
import { within } from '../shared/wait.ts';
import type { RequestRow } from '../store/ledger/operations.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { RequestOutcomes } from '../telemetry/request-line.ts';
import { openTracing } from '../telemetry/tracing.ts';
import type { StartContext } from './start-context.ts';

/** No stop waits longer than this for a collector of traces. */
const TRACES_MS = 2_000;

export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>;

export async function openTelemetry({ config, others, started }: StartContext) {
  const metrics = new Metrics({ worker: String(others?.slot ?? 1) });
  const tracing = config.otel === undefined ? undefined : await openTracing(config.otel);
  started.add('traces', () => tracing && within(TRACES_MS, tracing.stop()));
  // Whatever is counted is a line of the request log.
  const outcomes = new RequestOutcomes((id) => metrics.channelName(id));
  metrics.onEnded = (line) => {
    outcomes.ended(line as RequestRow);
    tracing?.ended(line as RequestRow);
  };
  return { metrics, tracing, outcomes };
}
