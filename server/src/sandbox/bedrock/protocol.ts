// Amazon Bedrock as the sandbox speaks it: its paths on one screen.
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_Operations_Amazon_Bedrock_Runtime.html
import { readUserTexts as readMessageTexts } from '../anthropic/user-texts.ts';
import { isObject } from '../fields/refuse.ts';
import type { SandboxProtocol } from '../protocol.ts';
import { authenticate } from './authenticate.ts';
import { answerConverse, answerConverseStream } from './converse.ts';
import { kindOf, writeError } from './error.ts';
import { answerCountTokens, answerInvoke, answerInvokeStream } from './invoke.ts';
import { listModels } from './models.ts';

export function createBedrockProtocol(): SandboxProtocol {
  return {
    prefix: 'bedrock',
    basePath: '/bedrock',
    endpoints: [
      { method: 'POST', path: /^\/model\/[^/]+\/invoke$/, takes: 'nothing', answer: answerInvoke },
      {
        method: 'POST',
        path: /^\/model\/[^/]+\/invoke-with-response-stream$/,
        takes: 'nothing',
        answer: answerInvokeStream,
      },
      { method: 'POST', path: /^\/model\/[^/]+\/converse$/, answer: answerConverse },
      { method: 'POST', path: /^\/model\/[^/]+\/converse-stream$/, answer: answerConverseStream },
      { method: 'POST', path: /^\/model\/[^/]+\/count-tokens$/, answer: answerCountTokens },
      { method: 'GET', path: /^\/foundation-models$/, answer: listModels },
    ],
    authenticate,
    readUserTexts,
    wantsStream: (_body, { path }) => path.endsWith('-stream'),
    writeError,
    errorHeaders: (failure) => ({ 'x-amzn-errortype': kindOf(failure) }),
    requestIdHeader: 'x-amzn-requestid',
  };
}

/** Blocks of Converse have no type. */
function readUserTexts(body: unknown): string[] {
  const messages = isObject(body) && Array.isArray(body['messages']) ? (body['messages'] as unknown[]) : [];
  const texts = messages.flatMap((message) => {
    if (!isObject(message) || message['role'] !== 'user' || !Array.isArray(message['content'])) return [];
    return (message['content'] as unknown[]).flatMap((block) =>
      isObject(block) && block['type'] === undefined && typeof block['text'] === 'string' ? [block['text']] : [],
    );
  });
  return [...readMessageTexts(body), ...texts];
}
