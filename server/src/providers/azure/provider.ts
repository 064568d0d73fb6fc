// Azure OpenAI: the compatible protocol under other addresses, with a key in a header of its own or a token of Entra ID.
import { entraOrKey } from '../credentials/entra.ts';
import type { OperationPath, Provider } from '../provider.ts';
import { compatibleTests } from '../test-calls.ts';
import type { UpstreamSettings } from '../upstream-settings.ts';

// Its addresses: under /openai/v1 as OpenAI has them, or, with a dated version of the API, under the deployment.
// https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle
const V1 = '/openai/v1';
const DATED = '/openai';

/** `path` as OpenAI has it; the upstream's name of a model is the name of its deployment. */
function deployed(path: string): OperationPath {
  return (deployment, _stream, settings) =>
    settings.options.apiVersion === undefined
      ? sharedPath(path, settings)
      : sharedPath(`/deployments/${encodeURIComponent(deployment)}${path}`, settings);
}

/** The same for what no deployment is named for. */
function shared(path: string): OperationPath {
  return (_deployment, _stream, settings) => sharedPath(path, settings);
}

function sharedPath(path: string, settings: Pick<UpstreamSettings, 'options' | 'baseUrl'>): string {
  const { apiVersion } = settings.options;
  if (apiVersion === undefined) return `${beyond(V1, settings)}${path}`;
  return `${beyond(DATED, settings)}${path}?api-version=${encodeURIComponent(apiVersion)}`;
}

/** Beta addresses are gone: realtime has no dated one. */
const realtimePath: OperationPath = (deployment, _stream, settings) =>
  `${beyond(V1, settings)}/realtime?model=${encodeURIComponent(deployment)}`;

const WRITTEN = /\/openai(?:\/v1)?(?=\/*$)/;

/** What of the root is not at the end of the base address already: the portal shows addresses with it. */
function beyond(root: string, { baseUrl }: Pick<UpstreamSettings, 'baseUrl'>): string {
  const [written = ''] = WRITTEN.exec(new URL(baseUrl).pathname) ?? [];
  return root.startsWith(written) ? root.slice(written.length) : root;
}

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
