// The generate-content-style protocol as the sandbox speaks it: its paths on one screen. https://ai.google.dev/api
import { isObject } from '../fields/refuse.ts';
import { readKeyHeader } from '../http/keys.ts';
import type { SandboxProtocol } from '../protocol.ts';
import { answerBatchEmbedContents, answerEmbedContent } from './embed-content.ts';
import { keyFailures, writeError } from './error.ts';
import { answerCountTokens, answerGenerateContent, answerStreamGenerateContent } from './generate-content.ts';
import { createInteractionEndpoints } from './interactions.ts';
import { getModel, listModels } from './models.ts';
import { readUserTexts } from './user-texts.ts';

export function createGeminiProtocol(): SandboxProtocol {
  return {
    prefix: 'gemini',
    basePath: '/gemini',
    endpoints: [
      { method: 'POST', path: /^\/v1beta\/models\/[^/]+:generateContent$/, answer: answerGenerateContent },
      { method: 'POST', path: /^\/v1beta\/models\/[^/]+:streamGenerateContent$/, answer: answerStreamGenerateContent },
      { method: 'POST', path: /^\/v1beta\/models\/[^/]+:countTokens$/, answer: answerCountTokens },
      { method: 'POST', path: /^\/v1beta\/models\/[^/]+:embedContent$/, answer: answerEmbedContent },
      { method: 'POST', path: /^\/v1beta\/models\/[^/]+:batchEmbedContents$/, answer: answerBatchEmbedContents },
      ...createInteractionEndpoints(),
      { method: 'GET', path: /^\/v1beta\/models$/, answer: listModels },
      { method: 'GET', path: /^\/v1beta\/models\/[^/:]+$/, answer: getModel },
    ],
    readUserTexts,
    wantsStream: (body, { path, query }) =>
      (path.endsWith(':streamGenerateContent') && query.get('alt') === 'sse') ||
      (path.endsWith('/interactions') && isObject(body) && body['stream'] === true),
    writeError,
    readKey: (head) => readKeyHeader(head, 'x-goog-api-key') ?? head.query.get('key') ?? undefined,
    keyFailures,
  };
}
