// The protocol's error body. https://platform.openai.com/docs/guides/error-codes
import type { Failure } from '../refusal.ts';

export type ErrorBody = { error: { message: string; type: string; param: string | null; code: string | null } };

type Wording = { message: string; type: string; code: string | null };

const wordings: Readonly<Record<number, Wording>> = {
  401: { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' },
  403: { message: 'Your key may not use this resource.', type: 'permission_error', code: 'permission_denied' },
  429: { message: 'Rate limit reached for requests.', type: 'requests', code: 'rate_limit_exceeded' },
  500: { message: 'The server had an error while processing your request.', type: 'server_error', code: null },
  503: { message: 'The engine is currently overloaded, please try again later.', type: 'server_error', code: null },
};

export function writeError({ status, message, param, code, retryAfterSeconds }: Failure): ErrorBody {
  const wording = wordings[status] ?? {
    message: `The sandbox was asked to fail with ${status}.`,
    type: status < 500 ? 'invalid_request_error' : 'server_error',
    code: null,
  };
  const advice = retryAfterSeconds === undefined ? '' : ` Please try again in ${retryAfterSeconds}s.`;
  return {
    error: {
      message: (message ?? wording.message) + advice,
      type: wording.type,
      param: param ?? null,
      code: code ?? wording.code,
    },
  };
}
