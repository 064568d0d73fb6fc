// Any upstream that speaks the compatible protocol: bearer key, paths right under the base address.
import { openaiChat } from '../../protocols/openai-chat/index.ts';
import { addressUnder, type TextProvider } from '../provider.ts';

export const openaiCompatible: TextProvider = {
  name: 'openai',
  protocol: openaiChat,
  textAddress: (baseUrl) => addressUnder(baseUrl, '/chat/completions'),
  testRequest: (model) =>
    Buffer.from(JSON.stringify({ model, messages: [{ role: 'user', content: 'ping' }], max_tokens: 1 })),
  authHeaders: (key): Record<string, string> => (key === '' ? {} : { authorization: `Bearer ${key}` }),
};
