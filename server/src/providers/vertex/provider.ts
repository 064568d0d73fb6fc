// Google Vertex AI: Gemini by generate-content, Claude by rawPredict in the words of the messages protocol, models of other
// publishers (`meta/llama-...`) by the endpoint that speaks the compatible protocol.
import { geminiGenerateContent } from '../../protocols/gemini-generate-content/index.ts';
import { asRecord, parseRecord } from '../../protocols/json/json-value.ts';
import { readServiceAccount, serviceAccountOrKey } from '../credentials/google-service-account.ts';
import { nextToken, readModelPage } from '../model-list.ts';
import type { Envelope, Provider } from '../provider.ts';
import { chatTest, listLook } from '../test-calls.ts';
import type { UpstreamSettings } from '../upstream-settings.ts';
import { isJson } from '../credentials/json-credential.ts';
import { UpstreamError } from '../upstream-error.ts';

const CLAUDE = /^claude-/;
/** A model that was tuned, by the endpoint that serves it. */
const TUNED = /^endpoints\/[\w-]+$/;
const VERSION = JSON.stringify('vertex-2023-10-16');

// Its addresses name project and location, which come from the channel's options, from the service account and from the host;
// with an API key alone (express) there is neither. https://cloud.google.com/vertex-ai/docs/reference/rest
const REGION = /^https?:\/\/([a-z0-9-]+)-aiplatform\.googleapis\.com/;
const MULTI_REGION = /^https?:\/\/aiplatform\.([a-z]+)\.rep\.googleapis\.com/;

/** `/v1/projects/P/locations/L`, or `/v1` for an express key. Throws an UpstreamError where the project is not known. */
function projectPath({ baseUrl, options, credential }: UpstreamSettings): string {
  const project = options.project ?? projectOf(credential);
  if (project === undefined) return '/v1';
  const location = options.location ?? locationIn(baseUrl);
  return `/v1/projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(location)}`;
}

/** A publisher's model, and what is to be done with it. */
function publisherPath(settings: UpstreamSettings, publisher: string, action: string): string {
  return `${projectPath(settings)}/publishers/${publisher}/models/${action}`;
}

/** `global` is that of the host without a region. */
function locationIn(baseUrl: string): string {
  return REGION.exec(baseUrl)?.[1] ?? MULTI_REGION.exec(baseUrl)?.[1] ?? 'global';
}

function projectOf(credential: string): string | undefined {
  if (!isJson(credential)) return undefined;
  const { project } = readServiceAccount(credential).value;
  if (project !== undefined) return project;
  throw new UpstreamError('unauthorised', 'the project is not known: set "options.project" of the channel');
}

/** Who speaks which protocol. */
function operationsOf(model: string): readonly string[] {
  if (CLAUDE.test(model)) return ['messages', 'count-messages'];
  return model.includes('/') && !TUNED.test(model) ? ['chat'] : ['generate-content', 'count-content'];
}

function geminiPath(model: string, settings: UpstreamSettings, action: string): string {
  if (TUNED.test(model)) return `${projectPath(settings)}/${model}:${action}`;
  return publisherPath(settings, 'google', `${encodeURIComponent(model)}:${action}`);
}

/** The request that is counted may be wrapped for Google AI, and never is here. */
const countEnvelope: Envelope = {
  write(body) {
    const { model: _, ...wrapped } = asRecord(parseRecord(body)?.['generateContentRequest']) ?? {};
    return Object.keys(wrapped).length === 0 ? body : Buffer.from(JSON.stringify(wrapped));
  },
  read: (body) => body,
};

export const vertex: Provider = {
  name: 'vertex',
  facts: {
    label: 'Google Vertex AI',
    about: 'Models of Vertex AI: Gemini, Claude, and open models by their publisher',
    baseUrl: {
      example: 'https://us-central1-aiplatform.googleapis.com',
      hint: 'The host of a region, or https://aiplatform.googleapis.com for the global location',
    },
    key: { hint: 'Service account JSON in one line; or an API key (express), sent as x-goog-api-key' },
    units: ['tokens', 'request'],
    options: ['project', 'location', 'token_url'],
    presets: [
      {
        vendor: 'Google Vertex AI',
        baseUrl: 'https://aiplatform.googleapis.com',
        note: 'Upstream names are gemini-..., claude-...@date or publisher/name',
      },
    ],
  },
  paths: {
    'generate-content': (model, stream, settings) =>
      geminiPath(model, settings, stream ? 'streamGenerateContent?alt=sse' : 'generateContent'),
    'count-content': (model, _stream, settings) => geminiPath(model, settings, 'countTokens'),
    messages: (model, stream, settings) =>
      publisherPath(
        settings,
        'anthropic',
        `${encodeURIComponent(model)}:${stream ? 'streamRawPredict' : 'rawPredict'}`,
      ),
    'count-messages': (_model, _stream, settings) => publisherPath(settings, 'anthropic', 'count-tokens:rawPredict'),
    chat: (_model, _stream, settings) => `${projectPath(settings)}/endpoints/openapi/chat/completions`,
  },
  carries: (operation, model) => operationsOf(model).includes(operation),
  rewrites: {
    messages: { set: { anthropic_version: VERSION }, remove: ['model'] },
    'count-messages': { set: { anthropic_version: VERSION } },
  },
  envelopes: { 'count-content': countEnvelope },
  endpointTypes: ['compat', 'compat-response'],
  ...serviceAccountOrKey,
  test: chatTest,
  models: {
    path: '/v1beta1/publishers/google/models?pageSize=1000',
    readComplaint: geminiGenerateContent.readComplaint,
    read: readModelPage({
      list: 'publisherModels',
      id: 'name',
      prefix: 'publishers/google/models/',
      next: nextToken('nextPageToken', 'pageToken'),
    }),
  },
  look: listLook(
    '/v1beta1/publishers/google/models?pageSize=1',
    'publisherModels',
    geminiGenerateContent.readComplaint,
  ),
};
