// One line of an output, error or results file, in the shape that the owner of the batch speaks.
import type { GatewayError } from '../../errors/gateway-error.ts';
import { makeId } from '../../shared/ids.ts';
import type { BatchRow } from '../../store/queries/batches.ts';

type Style = BatchRow['style'];

const MESSAGES_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

export interface AnsweredLine {
  customId: string;
  requestId: string;
}

/** The body is JSON already, and stays as it is. */
export function writeSuccess(
  style: Style,
  { customId, requestId }: AnsweredLine,
  { status, body }: { status: number; body: Buffer },
): Buffer {
  const text = oneLine(body);
  const id = JSON.stringify(customId);
  if (style === 'anthropic') return Buffer.from(`{"custom_id":${id},"result":{"type":"succeeded","message":${text}}}`);
  const head = `{"id":"${makeId('batch_req')}","custom_id":${id},"response":{"status_code":${status},"request_id":${JSON.stringify(requestId)},"body":`;
  return Buffer.from(`${head}${text}},"error":null}`);
}

export function writeFailure(style: Style, { customId, requestId }: AnsweredLine, error: GatewayError): Buffer {
  const { message, status, publicCode: code, type } = error;
  if (style === 'anthropic') {
    const kind = MESSAGES_TYPES[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
    const wire = { type: 'error', error: { type: kind, message }, request_id: requestId };
    return json({ custom_id: customId, result: { type: 'errored', error: wire } });
  }
  const body = { error: { message, type, param: error.details.param ?? null, code } };
  const response = { status_code: status, request_id: requestId, body };
  return json({ id: makeId('batch_req'), custom_id: customId, response, error: null });
}

/** Of a line that was not run: its batch was cancelled, or its time was over. */
export function writeUnrun(style: Style, customId: string, outcome: 'cancelled' | 'expired'): Buffer {
  if (style === 'anthropic')
    return json({ custom_id: customId, result: { type: outcome === 'cancelled' ? 'canceled' : 'expired' } });
  const message =
    outcome === 'cancelled'
      ? 'This request was not run: its batch was cancelled.'
      : 'This request was not run before the completion window ended.';
  return json({
    id: makeId('batch_req'),
    custom_id: customId,
    response: null,
    error: { code: `batch_${outcome}`, message },
  });
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Upstreams may write over several lines; inside of texts JSON has no line breaks. */
function oneLine(body: Buffer): string {
  const text = body.toString('utf8').trim();
  return /[\r\n]/.test(text) ? text.replaceAll(/[\r\n]+/g, ' ') : text;
}
