// The OpenAI-compatible protocol as the sandbox speaks it: its paths on one screen.
import { isObject } from '../fields/refuse.ts';
import type { SandboxProtocol } from '../protocol.ts';
import { answerSpeech } from './audio/speech.ts';
import { answerTranscriptions, answerTranslations } from './audio/transcriptions.ts';
import { answerChatCompletions } from './chat/chat-completions.ts';
import { answerCompletions } from './completions/completions.ts';
import { answerEmbeddings } from './embeddings/embeddings.ts';
import { writeError } from './error.ts';
import { answerEdits, answerGenerations, answerVariations } from './images/images.ts';
import { getModel, listModels } from './models.ts';
import { answerModerations } from './moderations/moderations.ts';
import { createResponsesEndpoints } from './responses/endpoints.ts';
import { readUserTexts } from './user-texts.ts';
import { createVideoEndpoints } from './videos.ts';
import type { VideoStudio } from '../video/studio.ts';

export function createOpenaiProtocol(studio: VideoStudio): SandboxProtocol {
  return {
    prefix: 'openai',
    basePath: '/openai/v1',
    endpoints: [
      { method: 'POST', path: /^\/v1\/chat\/completions$/, answer: answerChatCompletions },
      { method: 'POST', path: /^\/v1\/completions$/, answer: answerCompletions },
      ...createResponsesEndpoints(),
      { method: 'POST', path: /^\/v1\/embeddings$/, answer: answerEmbeddings },
      { method: 'POST', path: /^\/v1\/moderations$/, answer: answerModerations },
      { method: 'POST', path: /^\/v1\/images\/generations$/, answer: answerGenerations },
      { method: 'POST', path: /^\/v1\/(images\/)?edits$/, takes: 'json or form', answer: answerEdits },
      { method: 'POST', path: /^\/v1\/images\/variations$/, takes: 'form', answer: answerVariations },
      { method: 'POST', path: /^\/v1\/audio\/speech$/, answer: answerSpeech },
      { method: 'POST', path: /^\/v1\/audio\/transcriptions$/, takes: 'form', answer: answerTranscriptions },
      { method: 'POST', path: /^\/v1\/audio\/translations$/, takes: 'form', answer: answerTranslations },
      ...createVideoEndpoints(studio),
      { method: 'GET', path: /^\/v1\/models$/, answer: listModels },
      { method: 'GET', path: /^\/v1\/models\/.+$/, answer: getModel },
    ],
    realtime: /^\/v1\/realtime$/,
    readUserTexts,
    wantsStream: (body) =>
      isObject(body) && (body['stream'] === true || body['stream'] === 'true' || body['stream_format'] === 'sse'),
    writeError,
  };
}
