// Errors in this protocol's shape: `{"type":"error","error":{"type","message"},"request_id"}`, whole and as an event.
// https://platform.claude.com/docs/en/api/errors
import type { UpstreamComplaint } from '../protocol.ts';
import { complaintOf } from '../openai-chat/error.ts';
import { asRecord, type JsonRecord, parseRecord } from '../json/json-value.ts';

const NATIVE_TYPES: ReadonlySet<string> = new Set([
  'invalid_request_error',
  'authentication_error',
  'billing_error',
  'permission_error',
  'not_found_error',
  'request_too_large',
  'rate_limit_error',
  'timeout_error',
  'api_error',
  'overloaded_error',
]);

/** Where the code says more than the type, or the type is one that only the compatible shape knows. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['body_too_large', 'request_too_large'],
  ['insufficient_quota', 'billing_error'],
  ['upstream_timeout', 'timeout_error'],
  ['request_timeout', 'timeout_error'],
  ['no_channel_available', 'overloaded_error'],
  ['overloaded', 'overloaded_error'],
]);

export interface NamedError {
  message: string;
  type: string;
  code: string;
}

/** What this protocol calls an error of the gateway. */
export function errorType({ type, code }: { type: string; code: string }): string {
  const native = TYPES.get(code) ?? TYPES.get(type);
  if (native !== undefined) return native;
  if (NATIVE_TYPES.has(type)) return type;
  return NATIVE_TYPES.has(code) ? code : 'api_error';
}

export function writeError(error: NamedError, requestId: string | null = null): JsonRecord {
  return { type: 'error', error: { type: errorType(error), message: error.message }, request_id: requestId };
}

/** The last event of a stream that broke. */
export function errorEvent(error: NamedError, requestId?: string): Buffer {
  return Buffer.from(writeEvent(writeError(error, requestId)));
}

/** One event, named after the `type` in its data. */
export function writeEvent(data: JsonRecord): string {
  return `event: ${String(data['type'])}\ndata: ${JSON.stringify(data)}\n\n`;
}

export function readComplaint(body: Buffer): UpstreamComplaint {
  return readError(parseRecord(body));
}

/** From an error answer or an error event. */
export function readError(reported: JsonRecord | undefined): UpstreamComplaint {
  // Without the inner object the outer `type` is only the word `error`.
  return complaintOf(asRecord(reported?.['error']) === undefined ? { ...reported, type: undefined } : reported);
}

const STREAM_STATUSES: ReadonlyMap<unknown, number> = new Map<unknown, number>([
  ['rate_limit_error', 429],
  ['invalid_request_error', 400],
]);

/** Inside a stream the kind alone tells a throttle or a refusal from a failure. */
export function readStreamError(data: JsonRecord | undefined): UpstreamComplaint {
  const status = STREAM_STATUSES.get(asRecord(data?.['error'])?.['type']);
  return { ...readError(data), ...(status !== undefined && { status }) };
}
