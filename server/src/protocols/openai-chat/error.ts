// Errors in the compatible shape, both directions.
import { parseObject } from '../json/json-value.ts';
import type { StreamEndError, UpstreamComplaint } from '../protocol.ts';

/** What an upstream says went wrong, from an error body or an error event; tolerant of the many shapes in use. */
export function complaintOf(body: unknown): UpstreamComplaint {
  const outer = asObject(body);
  const inner = outer?.['error'];
  if (typeof inner === 'string') return { message: inner, code: undefined, param: undefined };
  const error = asObject(inner) ?? outer ?? {};
  const code = error['code'] ?? error['type'];
  const type = error['code'] === undefined || error['code'] === null ? undefined : text(error['type']);
  const detail = detailOf(error['detail']);
  return {
    message: text(error['message']) ?? detail?.message,
    code: text(code),
    param: text(error['param']) ?? detail?.param,
    ...(type !== undefined && { type }),
  };
}

export function readComplaint(body: Buffer): UpstreamComplaint {
  return complaintOf(parseObject(body.toString('utf8')));
}

/** The last event of a stream that broke. */
export function errorEvent(error: StreamEndError): Buffer {
  return Buffer.from(`data: ${JSON.stringify({ error })}\n\n`);
}

/** The same for streams of images and audio, typed as their other events are. */
export function typedErrorEvent(error: StreamEndError): Buffer {
  return Buffer.from(`event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`);
}

/** Servers built on FastAPI say what is wrong in `detail`: a text, or a list with a path and words for each field. */
function detailOf(detail: unknown): { message: string; param: string | undefined } | undefined {
  if (!Array.isArray(detail)) {
    const message = text(detail);
    return message === undefined ? undefined : { message, param: undefined };
  }
  const first = asObject(detail[0]);
  const message = text(first?.['msg']);
  if (message === undefined) return undefined;
  // Nobody knows what else an upstream puts there: only names and positions say where.
  const path = Array.isArray(first?.['loc']) ? first['loc'].flatMap((part) => text(part) ?? []) : [];
  if (path[0] === 'body') path.shift();
  const param = path.length === 0 ? undefined : path.join('.');
  return { message: param === undefined ? message : `${param}: ${message}`, param };
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
