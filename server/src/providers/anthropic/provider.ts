// Any upstream of the messages protocol: its own key header, a fixed version, paths under the host.
import { anthropicMessages, readMessages } from '../../protocols/anthropic-messages/index.ts';
import { keyHeader } from '../credentials/api-key.ts';
import { nextToken, readModelPage } from '../model-list.ts';
import type { Provider } from '../provider.ts';
import { listLook } from '../test-calls.ts';
import { commonRefusals } from '../refusals.ts';

export const anthropic: Provider = {
  name: 'anthropic',
  facts: {
    label: 'Anthropic messages',
    about: 'The message-style protocol',
    baseUrl: { example: 'https://api.anthropic.com', hint: 'Without /v1: the gateway adds /v1/messages' },
    key: { hint: 'API key, sent as x-api-key' },
    units: ['tokens', 'request'],
    presets: [
      { vendor: 'Anthropic', baseUrl: 'https://api.anthropic.com' },
      { vendor: 'DeepSeek', baseUrl: 'https://api.deepseek.com/anthropic' },
      { vendor: 'Moonshot', baseUrl: 'https://api.moonshot.ai/anthropic' },
      {
        vendor: 'Azure AI Foundry, Claude',
        baseUrl: 'https://RESOURCE.services.ai.azure.com/anthropic',
        note: 'Put in the resource; upstream names are names of deployments',
      },
      {
        vendor: 'Amazon Bedrock, messages',
        baseUrl: 'https://bedrock-mantle.us-east-1.api.aws/anthropic',
        note: 'The host of a region; the key is an API key of Bedrock',
      },
    ],
  },
  paths: { messages: '/v1/messages', 'count-messages': '/v1/messages/count_tokens' },
  endpointTypes: ['compat', 'compat-response'],
  headers: { 'anthropic-version': '2023-06-01' },
  sign: keyHeader('x-api-key'),
  // It has no code of its own for an account that cannot pay or was closed: these are refused as invalid requests.
  refusals: [
    {
      about: 'key',
      words: /^(?:Your credit balance is too low|This organization has been disabled)/i,
      anyStatus: true,
    },
    ...commonRefusals,
  ],
  models: {
    path: '/v1/models?limit=1000',
    readComplaint: anthropicMessages.readComplaint,
    read: readModelPage({
      list: 'data',
      id: 'id',
      next: (answer) => (answer['has_more'] === true ? nextToken('last_id', 'after_id')(answer) : undefined),
    }),
  },
  look: listLook('/v1/models?limit=1', 'data', anthropicMessages.readComplaint),
  test: {
    protocol: anthropicMessages,
    request: (model) =>
      readMessages(
        Buffer.from(JSON.stringify({ model, max_tokens: 1, messages: [{ role: 'user', content: 'ping' }] })),
      ),
  },
};
