// Any upstream that speaks the compatible protocol: bearer key, paths right under the base address.
import { bearer } from '../credentials/api-key.ts';
import type { Provider } from '../provider.ts';
import { compatibleTests } from '../test-calls.ts';
import { presets } from './presets.ts';
import { taskStyleVideo } from './video.ts';

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
  ...compatibleTests('/models'),
  video: taskStyleVideo,
};
