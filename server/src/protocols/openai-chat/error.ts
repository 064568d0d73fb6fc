// Errors in the compatible shape, both directions.
import type { UpstreamComplaint } from '../protocol.ts';

/** What an upstream says went wrong, from an error body or an error event; tolerant of the many shapes in use. */
export function complaintOf(body: unknown): UpstreamComplaint {
  const outer = asObject(body);
  const inner = outer?.['error'];
  if (typeof inner === 'string') return { message: inner, code: undefined, param: undefined };
  const error = asObject(inner) ?? outer ?? {};
  const code = error['code'] ?? error['type'];
  const type = error['code'] === undefined || error['code'] === null ? undefined : text(error['type']);
  return {
    message: text(error['message']),
    code: text(code),
    param: text(error['param']),
    ...(type !== undefined && { type }),
  };
}

export function readComplaint(body: Buffer): UpstreamComplaint {
  try {
    return complaintOf(JSON.parse(body.toString('utf8')));
  } catch {
    return { message: undefined, code: undefined, param: undefined };
  }
}

/** The last event of a stream that broke. */
export function errorEvent(error: { message: string; type: string; param: string | null; code: string }): Buffer {
  return Buffer.from(`data: ${JSON.stringify({ error })}\n\n`);
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
