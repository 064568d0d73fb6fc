// Any upstream that speaks the compatible protocol: bearer key, paths right under the base address.
import { openaiChat, readChat } from '../../protocols/openai-chat/index.ts';
import { bearer, type Provider } from '../provider.ts';

export const openaiCompatible: Provider = {
  name: 'openai',
  paths: {
    chat: '/chat/completions',
    completions: '/completions',
    responses: '/responses',
    embeddings: '/embeddings',
    moderations: '/moderations',
    'image-generation': '/images/generations',
    'image-edit': '/images/edits',
    speech: '/audio/speech',
    transcription: '/audio/transcriptions',
    translation: '/audio/translations',
  },
  mayLack: ['chat', 'responses', 'completions'],
  endpointTypes: ['compat', 'compat-response', 'embeddings', 'image-generation'],
  authHeaders: bearer,
  test: {
    protocol: openaiChat,
    request: (model) =>
      readChat(Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: 'ping' }], max_tokens: 1 }))),
  },
};
