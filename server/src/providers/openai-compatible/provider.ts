// Any upstream that speaks the compatible protocol: bearer key, paths right under the base address.
import { parseRecord } from '../../protocols/json/json-value.ts';
import { readComplaint } from '../../protocols/openai-chat/error.ts';
import { openaiChat, readChat } from '../../protocols/openai-chat/index.ts';
import { openaiEmbeddings, readEmbedding } from '../../protocols/openai-embeddings/index.ts';
import { bearer } from '../credentials/api-key.ts';
import { readModelPage } from '../model-list.ts';
import type { Provider, TestLook } from '../provider.ts';
import { presets } from './presets.ts';
import { taskStyleVideo } from './video.ts';

const modelList: TestLook = {
  look: '/models',
  readComplaint,
  isAnswer: (body) => Array.isArray(parseRecord(body)?.['data']),
};

export const openaiCompatible: Provider = {
  name: 'openai',
  facts: {
    label: 'OpenAI-compatible',
    about:
      'Any upstream that speaks the compatible protocol: chat, responses, embeddings, images, audio, videos in the task style',
    baseUrl: { example: 'https://api.openai.com/v1', hint: 'Most end in /v1, as the vendor’s library takes it' },
    key: { hint: 'API key, sent as a bearer token' },
    units: ['tokens', 'request', 'image', 'characters', 'audio_second'],
    presets,
  },
  paths: {
    chat: '/chat/completions',
    completions: '/completions',
    responses: '/responses',
    'count-responses': '/responses/input_tokens',
    compact: '/responses/compact',
    embeddings: '/embeddings',
    moderations: '/moderations',
    'image-generation': '/images/generations',
    'image-edit': '/images/edits',
    'image-variation': '/images/variations',
    speech: '/audio/speech',
    transcription: '/audio/transcriptions',
    translation: '/audio/translations',
    realtime: (model) => `/realtime?model=${encodeURIComponent(model)}`,
  },
  mayLack: ['chat', 'responses', 'completions'],
  endpointTypes: ['compat', 'compat-response', 'embeddings', 'image-generation', 'compat-video'],
  sign: bearer,
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
  models: { path: '/models', readComplaint, read: readModelPage({ list: 'data', id: 'id' }) },
  video: taskStyleVideo,
};
