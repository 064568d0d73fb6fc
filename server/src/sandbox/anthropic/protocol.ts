// The message-style protocol as the sandbox speaks it: its paths on one screen. https://docs.claude.com/en/api
import { readBearer, readKeyHeader } from '../http/keys.ts';
import { isObject } from '../fields/refuse.ts';
import type { SandboxProtocol } from '../protocol.ts';
import { keyFailures, writeError } from './error.ts';
import { answerCountTokens, answerMessages } from './messages.ts';
import { getModel, listModels } from './models.ts';
import { readUserTexts } from './user-texts.ts';

export function createAnthropicProtocol(): SandboxProtocol {
  return {
    prefix: 'anthropic',
    basePath: '/anthropic',
    endpoints: [
      { method: 'POST', path: /^\/v1\/messages$/, answer: answerMessages },
      { method: 'POST', path: /^\/v1\/messages\/count_tokens$/, answer: answerCountTokens },
      { method: 'GET', path: /^\/v1\/models$/, answer: listModels },
      { method: 'GET', path: /^\/v1\/models\/.+$/, answer: getModel },
    ],
    readUserTexts,
    wantsStream: (body) => isObject(body) && body['stream'] === true,
    writeError,
    readKey: (head) => readKeyHeader(head, 'x-api-key') ?? readBearer(head),
    keyFailures,
    requestIdHeader: 'request-id',
  };
}
