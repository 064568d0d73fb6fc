// Errors of Bedrock: `{"message"}`, and the kind in a header.
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html#API_runtime_Converse_Errors
import type { Failure } from '../refusal.ts';

const kinds: Readonly<Record<number, [kind: string, message: string]>> = {
  400: ['ValidationException', 'The provided request is not valid.'],
  401: ['UnrecognizedClientException', 'The security token included in the request is invalid.'],
  403: ['AccessDeniedException', "You don't have access to the model with the specified model ID."],
  404: ['ResourceNotFoundException', 'The resource was not found.'],
  408: ['ModelTimeoutException', 'The model did not answer in time.'],
  413: ['ValidationException', 'Input is too long for requested model.'],
  424: ['ModelErrorException', 'The model failed to generate a response.'],
  429: ['ThrottlingException', 'Too many requests, please wait before trying again.'],
  500: ['InternalServerException', 'An internal server error occurred. Retry your request.'],
  503: ['ServiceUnavailableException', 'Bedrock is unable to process your request.'],
};

export function kindOf({ status, code }: Failure): string {
  return code ?? kinds[status]?.[0] ?? 'InternalServerException';
}

export function writeError({ status, message }: Failure): object {
  return { message: message ?? kinds[status]?.[1] ?? `The sandbox was asked to fail with ${status}.` };
}

/** The real service answers a key that it does not know with 403. */
export const keyFailures = {
  absent: { status: 403, code: 'MissingAuthenticationTokenException', message: 'Missing Authentication Token' },
  wrong: {
    status: 403,
    code: 'UnrecognizedClientException',
    message: 'The security token included in the request is invalid.',
  },
} satisfies Record<string, Failure>;
