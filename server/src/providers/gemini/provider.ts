// Any upstream of the generate-content protocol: its own key header, and paths that name the model and what is wanted.
import {
  geminiGenerateContent,
  modelResource,
  readGenerateContent,
} from '../../protocols/gemini-generate-content/index.ts';
import { keyHeader } from '../credentials/api-key.ts';
import { nextToken, readModelPage } from '../model-list.ts';
import type { OperationPath, Provider } from '../provider.ts';
import { listLook } from '../test-calls.ts';

const modelList = listLook('/v1beta/models?pageSize=1', 'models', geminiGenerateContent.readComplaint);

/** Streams are always asked for as events, whatever form the client gets them in. */
const contentPath: OperationPath = (model, stream) =>
  stream ? `${pathOf(model)}:streamGenerateContent?alt=sse` : `${pathOf(model)}:generateContent`;

export const gemini: Provider = {
  name: 'gemini',
  facts: {
    label: 'Gemini generate-content',
    about: 'The generate-content protocol',
    baseUrl: {
      example: 'https://generativelanguage.googleapis.com',
      hint: 'The host alone: the gateway adds /v1beta/models',
    },
    key: { hint: 'API key, sent as x-goog-api-key' },
    units: ['tokens', 'request'],
    presets: [{ vendor: 'Google AI Studio', baseUrl: 'https://generativelanguage.googleapis.com' }],
  },
  paths: {
    'generate-content': contentPath,
    interactions: '/v1beta/interactions',
    'count-content': (model) => `${pathOf(model)}:countTokens`,
    'embed-content': (model) => `${pathOf(model)}:embedContent`,
    'batch-embed-contents': (model) => `${pathOf(model)}:batchEmbedContents`,
  },
  endpointTypes: ['compat', 'compat-response', 'embeddings'],
  sign: keyHeader('x-goog-api-key'),
  test: {
    protocol: geminiGenerateContent,
    request(model) {
      const body = {
        contents: [{ role: 'user', parts: [{ text: 'ping' }] }],
        generationConfig: { maxOutputTokens: 1 },
      };
      return readGenerateContent(Buffer.from(JSON.stringify(body)), { model, stream: false, framing: 'events' });
    },
  },
  otherTests: { embeddings: modelList },
  look: modelList,
  models: {
    path: '/v1beta/models?pageSize=1000',
    readComplaint: geminiGenerateContent.readComplaint,
    read: readModelPage({
      list: 'models',
      id: 'name',
      prefix: 'models/',
      next: nextToken('nextPageToken', 'pageToken'),
    }),
  },
};

function pathOf(model: string): string {
  return `/v1beta/${modelResource(model).split('/').map(encodeURIComponent).join('/')}`;
}
