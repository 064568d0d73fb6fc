// Azure OpenAI: the compatible protocol under other addresses, with a key in a header of its own or a token of Entra ID.
import { parseRecord } from '../../protocols/json/json-value.ts';
import { readComplaint } from '../../protocols/openai-chat/error.ts';
import { openaiChat, readChat } from '../../protocols/openai-chat/index.ts';
import { openaiEmbeddings, readEmbedding } from '../../protocols/openai-embeddings/index.ts';
import { keyHeader } from '../credentials/api-key.ts';
import { forgetEntra, readEntra, signWithEntra } from '../credentials/entra.ts';
import { isJson, problemWith } from '../credentials/json-credential.ts';
import { readModelPage } from '../model-list.ts';
import type { Provider, TestLook } from '../provider.ts';
import { deployed, realtimePath, shared, sharedPath } from './paths.ts';

const signWithKey = keyHeader('api-key');

const modelList: TestLook = {
  look: (settings) => sharedPath('/models', settings),
  readComplaint,
  isAnswer: (body) => Array.isArray(parseRecord(body)?.['data']),
};

export const azure: Provider = {
  name: 'azure',
  facts: {
    label: 'Azure OpenAI',
    about: 'Deployments of Azure OpenAI and AI Foundry: chat, responses, embeddings, images, audio',
    baseUrl: {
      example: 'https://my-resource.openai.azure.com',
      hint: 'The host alone: the gateway adds /openai/v1, or /openai/deployments where options.api_version is set',
    },
    key: {
      hint: 'API key, sent as api-key; or a JSON object with tenant_id, client_id and client_secret for Entra ID',
    },
    units: ['tokens', 'request', 'image', 'characters', 'audio_second'],
    options: ['api_version', 'token_url'],
    presets: [
      {
        vendor: 'Azure OpenAI',
        baseUrl: 'https://my-resource.openai.azure.com',
        note: 'Upstream names are names of deployments',
      },
      { vendor: 'Azure AI Foundry', baseUrl: 'https://my-resource.services.ai.azure.com' },
    ],
  },
  paths: {
    chat: deployed('/chat/completions'),
    completions: deployed('/completions'),
    responses: shared('/responses'),
    'count-responses': shared('/responses/input_tokens'),
    compact: shared('/responses/compact'),
    embeddings: deployed('/embeddings'),
    'image-generation': deployed('/images/generations'),
    'image-edit': deployed('/images/edits'),
    speech: deployed('/audio/speech'),
    transcription: deployed('/audio/transcriptions'),
    translation: deployed('/audio/translations'),
    realtime: realtimePath,
  },
  mayLack: ['chat', 'responses', 'completions'],
  endpointTypes: ['compat', 'compat-response', 'embeddings', 'image-generation'],
  sign: (request, credential, clock, settings) =>
    (isJson(credential) ? signWithEntra : signWithKey)(request, credential, clock, settings),
  forget: (credential, settings, sent) => isJson(credential) && forgetEntra(credential, settings, sent),
  checkCredential: (credential) => (isJson(credential) ? problemWith(credential, readEntra) : undefined),
  test: {
    protocol: openaiChat,
    request: (model) =>
      readChat(Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: 'ping' }], max_tokens: 1 }))),
  },
  otherTests: {
    embeddings: {
      protocol: openaiEmbeddings,
      request: (model) => readEmbedding(Buffer.from(JSON.stringify({ model, input: 'ping' }))),
    },
    // An image or a file of audio is no cheap call.
    media: modelList,
  },
  look: modelList,
  // Base models, not deployments: those are listed to managers of the resource only.
  models: {
    path: (settings) => sharedPath('/models', settings),
    readComplaint,
    read: readModelPage({ list: 'data', id: 'id' }),
  },
};
