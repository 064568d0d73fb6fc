// Every error a caller can see: its HTTP status, its type in the compatible shape, and its sentence.
// docs/errors.md explains each code to people; a test keeps the two lists equal.
export interface ErrorCodeFacts {
  status: number;
  type: string;
  message: string;
}

const facts = (status: number, type: string, message: string): ErrorCodeFacts => ({ status, type, message });

const RETRY_LATER = 'Reduce concurrency and retry with exponential backoff.';

export const errorCodes = {
  invalid_request: facts(400, 'invalid_request_error', 'The request is not valid.'),
  missing_api_key: facts(
    401,
    'authentication_error',
    'No API key was given. Send it as "Authorization: Bearer <API_KEY>".',
  ),
  invalid_api_key: facts(401, 'authentication_error', 'The API key is not valid.'),
  second_factor_required: facts(
    401,
    'authentication_error',
    'This operator signs in with a second factor: send its code too.',
  ),
  token_disabled: facts(401, 'authentication_error', 'This API key is disabled. Ask the operator to enable it.'),
  token_expired: facts(401, 'authentication_error', 'This API key has expired. Ask the operator for a new one.'),
  insufficient_quota: facts(
    402,
    'insufficient_quota',
    'The remaining balance or quota does not cover this request. Ask the operator for credit.',
  ),
  ip_not_allowed: facts(403, 'permission_error', 'This API key may not be used from this address.'),
  origin_not_allowed: facts(403, 'permission_error', 'This API key may not be used by pages of this origin.'),
  model_not_allowed: facts(403, 'permission_error', 'This API key may not use the model.'),
  group_not_allowed: facts(403, 'permission_error', 'The group of this API key is not set up here.'),
  account_disabled: facts(403, 'permission_error', 'The account of this API key is disabled.'),
  forbidden: facts(403, 'permission_error', 'This operator may not do that.'),
  password_change_required: facts(
    403,
    'permission_error',
    'Change the password you were given first: POST /operator/v1/session/password.',
  ),
  csrf_token_invalid: facts(
    403,
    'permission_error',
    'Send the csrf_token of the session as the header x-csrf-token with every change.',
  ),
  not_found: facts(404, 'not_found_error', 'There is nothing at this address.'),
  model_not_found: facts(404, 'not_found_error', 'The model does not exist or is not available to this API key.'),
  task_not_found: facts(404, 'not_found_error', 'The task does not exist.'),
  method_not_allowed: facts(405, 'invalid_request_error', 'This method is not allowed here.'),
  upgrade_refused: facts(426, 'invalid_request_error', 'WebSockets are not served here.'),
  upgrade_required: facts(
    426,
    'invalid_request_error',
    'This path is a WebSocket. Connect to it with a WebSocket client.',
  ),
  request_timeout: facts(408, 'invalid_request_error', 'The request body did not arrive in time.'),
  conflict: facts(409, 'invalid_request_error', 'This conflicts with what exists already.'),
  precondition_failed: facts(
    412,
    'invalid_request_error',
    'It was changed meanwhile. Read it again, and send the change with its new etag as If-Match.',
  ),
  request_in_progress: facts(
    409,
    'invalid_request_error',
    'A request with this idempotency key is still being answered.',
  ),
  task_not_finished: facts(409, 'invalid_request_error', 'The task has no video yet.'),
  video_expired: facts(410, 'invalid_request_error', 'The video is not kept any more by its provider.'),
  body_too_large: facts(413, 'invalid_request_error', 'The request body is too large.'),
  unsupported_media_type: facts(
    415,
    'invalid_request_error',
    'The content type is not supported here. Send application/json.',
  ),
  range_not_satisfiable: facts(
    416,
    'invalid_request_error',
    'The range begins behind the last byte. The header content-range has the size.',
  ),
  idempotency_mismatch: facts(
    422,
    'invalid_request_error',
    'This idempotency key was used with another request before. Use a new key.',
  ),
  rate_limit_exceeded: facts(429, 'rate_limit_error', `Too many requests. ${RETRY_LATER}`),
  upstream_rate_limited: facts(429, 'rate_limit_error', `The model's providers are rate limited. ${RETRY_LATER}`),
  upstream_rejected: facts(400, 'invalid_request_error', 'The model provider refused the request.'),
  client_gone: facts(499, 'invalid_request_error', 'The client closed the connection before the answer was complete.'),
  internal_error: facts(500, 'server_error', 'Something went wrong inside the gateway.'),
  upstream_error: facts(502, 'upstream_error', 'The model provider failed to answer properly.'),
  no_channel_available: facts(503, 'server_error', 'No provider of this model is available right now.'),
  list_too_slow: facts(
    503,
    'server_error',
    'This list took longer than a second to read. Narrow it: add a filter, or name a shorter range of time.',
  ),
  overloaded: facts(503, 'server_error', 'The gateway cannot take this request right now.'),
  upstream_timeout: facts(504, 'upstream_error', 'The model provider took too long to answer.'),
} as const satisfies Record<string, ErrorCodeFacts>;

export type ErrorCode = keyof typeof errorCodes;
