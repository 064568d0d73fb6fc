// The family's error body: flat, with a code of words. https://help.aliyun.com/zh/model-studio/error-code
import { randomUUID } from 'node:crypto';
import type { Failure } from '../refusal.ts';

export type ErrorBody = { code: string; message: string; request_id: string };

const wordings: Readonly<Record<number, { code: string; message: string }>> = {
  400: { code: 'InvalidParameter', message: 'The request is not valid.' },
  401: { code: 'InvalidApiKey', message: 'Invalid API-key provided.' },
  403: { code: 'AccessDenied', message: 'Access denied.' },
  404: { code: 'InvalidURL', message: 'No such address.' },
  429: { code: 'Throttling.RateQuota', message: 'Requests rate limit exceeded, please try again later.' },
  503: { code: 'ServiceUnavailable', message: 'The service is overloaded, please try again later.' },
};

export function writeError({ status, message, code }: Failure): ErrorBody {
  const wording = wordings[status] ?? {
    code: status < 500 ? 'InvalidParameter' : 'InternalError',
    message: `The sandbox was asked to fail with ${status}.`,
  };
  return { code: code ?? wording.code, message: message ?? wording.message, request_id: randomUUID() };
}
