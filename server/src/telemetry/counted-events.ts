// What the parts of the gateway report to metrics and traces.
/** The fields of a request's log line that are counted. */
export interface CountedRequest {
  endpoint: string;
  status: number;
  error_code: string | null;
  model: string | null;
  channel_id: string | null;
  /** JSON: a list of `{channel_id, ms}`. */
  attempts: string;
  /** JSON, or null. */
  usage: string | null;
  first_byte_ms: number | null;
  total_ms: number;
  usage_source: string | null;
  charge: bigint;
  mode: string;
}

export interface RequestMetrics {
  ended(request: CountedRequest): void;
}

export interface EndedTask {
  status: 'SUCCESS' | 'FAILURE';
  charge: bigint;
  mode: string;
  /** Who counted; null where nothing was charged. */
  source: string | null;
  model: string;
  channelId: string | null;
}

export interface TaskMetrics {
  /** How a question about a task went. */
  polled(outcome: 'answered' | 'fault'): void;
  taskEnded(task: EndedTask): void;
  webhookSent(outcome: 'delivered' | 'failed'): void;
}
