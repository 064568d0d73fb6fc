// The OpenAI-compatible protocol as the sandbox speaks it: its paths on one screen.
import type { SandboxProtocol } from '../protocol.ts';
import { answerChatCompletions } from './chat/chat-completions.ts';
import { writeError } from './error.ts';
import { readUserTexts } from './chat/messages.ts';
import { getModel, listModels } from './models.ts';

export const openaiProtocol: SandboxProtocol = {
  prefix: 'openai',
  basePath: '/v1',
  endpoints: [
    { method: 'POST', path: /^\/v1\/chat\/completions$/, answer: answerChatCompletions },
    { method: 'GET', path: /^\/v1\/models$/, answer: listModels },
    { method: 'GET', path: /^\/v1\/models\/.+$/, answer: getModel },
  ],
  readUserTexts,
  wantsStream: (body) => typeof body === 'object' && body !== null && 'stream' in body && body.stream === true,
  writeError,
};
