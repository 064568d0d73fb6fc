import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readComplaint as readMessagesComplaint } from '../protocols/anthropic-messages/error.ts';
import { readComplaint as readGeminiComplaint } from '../protocols/gemini-generate-content/error.ts';
import { readComplaint } from '../protocols/openai-chat/error.ts';
import { readComplaint as readAlphaComplaint } from './alpha-video/read-task.ts';
import { judgeRefusal } from './refusals.ts';
import { findProvider } from './registry.ts';

const readers = {
  openai: readComplaint,
  rerank: readComplaint,
  'beta-video': readComplaint,
  anthropic: readMessagesComplaint,
  gemini: readGeminiComplaint,
  alpha: readAlphaComplaint,
};

type Case = [
  provider: keyof typeof readers,
  status: number,
  body: object,
  errorClass: string,
  about: string | undefined,
];

const openai = (message: string, code: string | null, type = 'invalid_request_error'): object => ({
  error: { message, type, param: null, code },
});
const messages = (message: string, type: string): object => ({ type: 'error', error: { type, message } });
const google = (message: string, status: string, reason?: string): object => ({
  error: { code: 403, message, status, details: reason === undefined ? [] : [{ reason }] },
});

function judge([provider, status, body]: Case): [string, string | undefined] {
  const complaint = readers[provider](Buffer.from(JSON.stringify(body)));
  const { errorClass, about } = judgeRefusal({ ...complaint, status }, findProvider(provider)?.refusals);
  return [errorClass, about];
}

describe('whom a refusal is about (contract-2 7)', () => {
  const ofTheRequest: Case[] = [
    ['openai', 403, openai('Your input was flagged.', 'content_policy_violation'), 'refused', 'request'],
    ['openai', 403, openai('Blocked.', 'moderation_blocked', 'image_generation_user_error'), 'refused', 'request'],
    ['openai', 403, openai('You do not have access to file-abc123XYZ.', null), 'refused', 'request'],
    [
      'openai',
      403,
      openai('This file belongs to another project.', 'permission_denied', 'permission_error'),
      'refused',
      'request',
    ],
    ['openai', 403, openai('Denied.', 'file_access_denied', 'permission_error'), 'refused', 'request'],
    [
      'openai',
      403,
      {
        error: {
          code: 403,
          message: 'Your chosen model requires moderation and your input was flagged for "violence".',
        },
      },
      'refused',
      'request',
    ],
    ['openai', 401, openai('No.', 'content_policy_violation'), 'refused', 'request'],
    ['openai', 400, openai('Too long.', 'string_above_max_length'), 'refused', undefined],
    ['openai', 404, openai('No such file.', 'file_not_found'), 'refused', 'request'],
    [
      'anthropic',
      403,
      messages('You do not have permission to access the file file_011CNha8.', 'permission_error'),
      'refused',
      'request',
    ],
    [
      'gemini',
      403,
      google('You do not have permission to access the File abc123 or it may not exist.', 'PERMISSION_DENIED'),
      'refused',
      'request',
    ],
    [
      'alpha',
      403,
      { code: 'DataInspectionFailed', message: 'Input data may contain inappropriate content.' },
      'refused',
      'request',
    ],
    ['beta-video', 403, { error: { code: 'InputTextSensitiveContentDetected', message: 'no' } }, 'refused', 'request'],
  ];
  const ofTheKey: Case[] = [
    ['openai', 401, openai('Incorrect API key provided.', 'invalid_api_key'), 'unauthorised', 'key'],
    ['openai', 401, openai('Who are you?', null), 'unauthorised', undefined],
    ['openai', 402, openai('Insufficient Balance', null), 'unauthorised', undefined],
    ['openai', 403, openai('Your account was deactivated.', 'account_deactivated'), 'unauthorised', 'key'],
    [
      'openai',
      403,
      openai('Your key may not use this resource.', 'permission_denied', 'permission_error'),
      'unauthorised',
      'key',
    ],
    [
      'openai',
      403,
      openai('Country, region, or territory not supported', 'unsupported_country_region_territory'),
      'unauthorised',
      'key',
    ],
    [
      'openai',
      429,
      openai('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota'),
      'unauthorised',
      'key',
    ],
    ['openai', 400, openai('Billing hard limit has been reached', 'billing_hard_limit_reached'), 'unauthorised', 'key'],
    ['anthropic', 401, messages('invalid x-api-key', 'authentication_error'), 'unauthorised', 'key'],
    [
      'anthropic',
      403,
      messages('Your API key does not have permission to use the specified resource.', 'permission_error'),
      'unauthorised',
      'key',
    ],
    [
      'anthropic',
      400,
      messages('Your credit balance is too low to access the API.', 'invalid_request_error'),
      'unauthorised',
      'key',
    ],
    [
      'anthropic',
      400,
      messages('This organization has been disabled.', 'invalid_request_error'),
      'unauthorised',
      'key',
    ],
    ['gemini', 400, google('API key not valid.', 'INVALID_ARGUMENT', 'API_KEY_INVALID'), 'unauthorised', 'key'],
    ['gemini', 403, google('It has been suspended.', 'PERMISSION_DENIED', 'CONSUMER_SUSPENDED'), 'unauthorised', 'key'],
    ['alpha', 400, { code: 'Arrearage', message: 'Access denied.' }, 'unauthorised', 'key'],
    ['beta-video', 403, { error: { code: 'AccountOverdueError', message: 'Pay first.' } }, 'unauthorised', 'key'],
  ];
  const others: Case[] = [
    [
      'openai',
      403,
      openai('Project `proj_1` does not have access to model `m`', 'model_not_found'),
      'unauthorised',
      'model',
    ],
    ['alpha', 403, { code: 'AccessDenied.Unpurchased', message: 'Access denied.' }, 'unauthorised', 'model'],
    ['openai', 403, {}, 'unauthorised', undefined],
    ['openai', 429, openai('Rate limit reached.', 'rate_limit_exceeded', 'tokens'), 'limited', undefined],
    [
      'openai',
      424,
      openai('Error retrieving tool list from MCP server.', 'http_error', 'external_connector_error'),
      'refused',
      undefined,
    ],
    ['openai', 400, openai('Invalid value: your credit balance is too low.', 'invalid_value'), 'refused', undefined],
    [
      'anthropic',
      400,
      messages('messages.0: Your credit balance is too low to access', 'invalid_request_error'),
      'refused',
      undefined,
    ],
    ['openai', 503, openai('Your API key is overloaded.', 'invalid_api_key'), 'overloaded', undefined],
  ];
  for (const [name, cases] of Object.entries({ ofTheRequest, ofTheKey, others }))
    for (const one of cases)
      test(`${name}: ${one[0]} ${one[1]} ${JSON.stringify(one[2]).slice(0, 120)}`, () => {
        assert.deepEqual(judge(one), [one[3], one[4]]);
      });
});
