// Errors in this protocol's shape: `{"error":{"code","message","status"}}`, whole, in a list, and in a stream.
import { type ErrorCode, errorCodes } from '../../errors/codes.ts';
import { asList, asRecord, asText, type JsonRecord, parseObject, parseRecord } from '../json/json-value.ts';
import type { UpstreamComplaint } from '../protocol.ts';
import type { SseEvent } from '../stream/sse.ts';

const WORDS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export interface NamedError {
  message: string;
  code: string;
}

export function statusWord(status: number): string {
  return WORDS[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL');
}

export function writeError({ message, code }: NamedError): JsonRecord {
  const { status } = code in errorCodes ? errorCodes[code as ErrorCode] : errorCodes.upstream_error;
  return { error: { code: status, message, status: statusWord(status) } };
}

/**
 * The last words of a stream that broke: as an event, and once more as plain JSON. Older libraries of the vendor take the
 * event for an answer without content and fail on the plain words; newer ones fail on either, but on the plain words
 * only where the network has not joined them to the event before.
 */
export function errorEvent(error: NamedError): Buffer {
  const reported = errorText(error);
  return Buffer.from(`data: ${reported}\n\n${reported}`);
}

export function errorText(error: NamedError): string {
  return JSON.stringify(writeError(error));
}

export function readComplaint(body: Buffer): UpstreamComplaint {
  return complaintOf(parseObject(body.toString('utf8')));
}

function complaintOf(body: unknown): UpstreamComplaint {
  const error = asRecord(asRecord(Array.isArray(body) ? body[0] : body)?.['error']) ?? {};
  const details = asList(error['details']).map((one) => asRecord(one) ?? {});
  const violation = details.flatMap((one) => asList(one['fieldViolations']))[0];
  const number = error['code'];
  const reason = details.map((one) => asText(one['reason'])).find((one) => one !== undefined);
  return {
    // The status calls it an invalid argument of the caller's.
    ...(reason === 'API_KEY_INVALID' && { isOfKey: true }),
    message: asText(error['message']) || undefined,
    // The reason says more than the word.
    code: reason ?? asText(error['status']) ?? (typeof number === 'number' ? String(number) : undefined),
    param: asText(asRecord(violation)?.['field']) || undefined,
  };
}

export type EventContent =
  | { type: 'piece'; piece: JsonRecord }
  | { type: 'complaint'; complaint: UpstreamComplaint }
  | { type: 'comment' | 'unreadable' };

/** What an event of a stream says. Errors come as data, or as plain JSON between the events. */
export function readEvent({ data, bytes }: SseEvent): EventContent {
  const text = data ?? plainJson(bytes);
  if (text === undefined) return { type: 'comment' };
  const piece = parseRecord(text);
  if (piece === undefined) return { type: 'unreadable' };
  const hasError = asRecord(piece['error']) !== undefined && piece['candidates'] === undefined;
  if (hasError) return { type: 'complaint', complaint: complaintOf(piece) };
  return data === undefined ? { type: 'comment' } : { type: 'piece', piece };
}

function plainJson(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8').trim();
  return text.startsWith('{') ? text : undefined;
}
