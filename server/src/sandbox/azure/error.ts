// Error bodies of Azure OpenAI: the compatible shape, with statuses and words of its gateway as codes.
import type { Failure } from '../refusal.ts';

const wordings: Readonly<Record<number, { code: string; message: string }>> = {
  401: {
    code: '401',
    message:
      'Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription and use a correct regional API endpoint for your resource.',
  },
  403: { code: '403', message: 'Access denied due to Virtual Network/Firewall rules.' },
  404: { code: '404', message: 'Resource not found' },
  429: {
    code: '429',
    message: 'Requests to the operation have exceeded the call rate limit of your current pricing tier.',
  },
  500: {
    code: 'InternalServerError',
    message: 'Backend returned unexpected response. Please contact Microsoft for help.',
  },
  503: { code: 'ServiceUnavailable', message: 'The service is temporarily unable to process your request.' },
};

export const expiredToken: Failure = {
  status: 401,
  code: 'Unauthorized',
  message:
    'Unauthorized. Access token is missing, invalid, audience is incorrect (https://cognitiveservices.azure.com), or have expired.',
};

export const noDeployment: Failure = {
  status: 404,
  code: 'DeploymentNotFound',
  message:
    'The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again.',
};

export function writeError({ status, message, param, code, retryAfterSeconds }: Failure): object {
  const wording = wordings[status] ?? {
    code: String(status),
    message: `The sandbox was asked to fail with ${status}.`,
  };
  const advice = retryAfterSeconds === undefined ? '' : ` Please retry after ${retryAfterSeconds} seconds.`;
  return {
    error: {
      code: code ?? wording.code,
      message: (message ?? wording.message) + advice,
      ...(param === undefined ? {} : { param, type: 'invalid_request_error' }),
    },
  };
}
