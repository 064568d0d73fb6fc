// The family's error body, and refusals of single fields in its words. https://www.volcengine.com/docs/82379/1299023
import { randomBytes } from 'node:crypto';
import type { WireObject } from '../fields/refuse.ts';
import { type Failure, Refusal } from '../refusal.ts';

export type ErrorBody = { error: { code: string; message: string; param: string; type: string } };

type Wording = { code: string; message: string; type: string };

const wordings: Readonly<Record<number, Wording>> = {
  400: { code: 'InvalidParameter', message: 'The request is not valid.', type: 'BadRequest' },
  401: {
    code: 'AuthenticationError',
    message: 'The API key in the request is missing or invalid.',
    type: 'Unauthorized',
  },
  403: { code: 'AccessDenied', message: 'The account may not use this resource.', type: 'Forbidden' },
  404: { code: 'ResourceNotFound', message: 'The specified resource is not found.', type: 'NotFound' },
  409: { code: 'OperationDenied', message: 'The state of the task does not allow this.', type: 'Conflict' },
  429: {
    code: 'RateLimitExceeded.EndpointRPMExceeded',
    message: 'The requests per minute limit of the endpoint is exceeded.',
    type: 'TooManyRequests',
  },
};

export function writeError({ status, message, param, code }: Failure): ErrorBody {
  const wording = wordings[status] ?? {
    code: status < 500 ? 'InvalidParameter' : 'InternalServiceError',
    message: `The sandbox was asked to fail with ${status}.`,
    type: status < 500 ? 'BadRequest' : 'InternalServerError',
  };
  const words = `${message ?? wording.message} ${writeRequestId()}`;
  return { error: { code: code ?? wording.code, message: words, param: param ?? '', type: wording.type } };
}

export function writeRequestId(): string {
  return `Request id: 0217${randomBytes(12).toString('hex')}`;
}

export function refuseField(field: string, why: string): never {
  const message = `The parameter \`${field}\` specified in the request is not valid: ${why}.`;
  throw new Refusal({ status: 400, code: 'InvalidParameter', param: field, message });
}

export function refuseMissing(field: string): never {
  const message = `The request is missing the parameter \`${field}\`.`;
  throw new Refusal({ status: 400, code: 'MissingParameter', param: field, message });
}

/** `at` is where the object stands: empty, or a path with a point at its end. */
export function refuseOtherFields(object: WireObject, known: readonly string[], at: string): void {
  const other = Object.keys(object).find((name) => !known.includes(name));
  if (other !== undefined) refuseField(`${at}${other.slice(0, 100)}`, 'unknown field');
}
