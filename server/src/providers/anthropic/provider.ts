// Any upstream of the messages protocol: its own key header, a fixed version, paths under the host.
import { anthropicMessages, readMessages } from '../../protocols/anthropic-messages/index.ts';
import type { Provider } from '../provider.ts';

export const anthropic: Provider = {
  name: 'anthropic',
  paths: { messages: '/v1/messages', 'count-messages': '/v1/messages/count_tokens' },
  endpointTypes: ['compat', 'compat-response'],
  authHeaders: (key) => ({ ...(key !== '' && { 'x-api-key': key }), 'anthropic-version': '2023-06-01' }),
  test: {
    protocol: anthropicMessages,
    request: (model) =>
      readMessages(
        Buffer.from(JSON.stringify({ model, max_tokens: 1, messages: [{ role: 'user', content: 'ping' }] })),
      ),
  },
};
