// Azure OpenAI: the compatible protocol under other addresses, with a key in a header of its own or a token of Entra ID.
import { entraOrKey } from '../credentials/entra.ts';
import type { Provider } from '../provider.ts';
import { compatibleTests } from '../test-calls.ts';
import { deployed, realtimePath, shared, sharedPath } from './paths.ts';

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
  ...entraOrKey,
  // Base models, not deployments: those are listed to managers of the resource only.
  ...compatibleTests((settings) => sharedPath('/models', settings)),
};
