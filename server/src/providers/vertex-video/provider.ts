// Veo on Google Vertex AI: long-running predictions, charged by seconds. The video comes inside the answer and is archived at once.
import { serviceAccountOrKey } from '../credentials/google-service-account.ts';
import { readComplaint, readRefusal } from '../google-video/errors.ts';
import type { Provider } from '../provider.ts';
import { parseAnswer } from '../upstream-values.ts';
import { chargedByTime } from '../video/bill-by-time.ts';
import { jsonBody } from '../video-body.ts';
import type { VideoProvider } from '../video-provider.ts';
import { modelPath } from './model-path.ts';
import { modelOf, readInline, readSubmitted, readTask } from './read-task.ts';
import { planTask } from './write-task.ts';

const video: VideoProvider = {
  units: ['second', 'reported'],
  wantsBytes: true,
  plan: planTask,
  submit: ({ body, sent }) => ({
    method: 'POST',
    path: (settings) => `/v1/${modelPath(String(sent['model']), settings)}:predictLongRunning`,
    body,
  }),
  readSubmitted,
  readRefusal,
  readComplaint,
  // A GET of the operation does not work for models of publishers.
  poll: ({ id }) => ({
    method: 'POST',
    path: `/v1/${modelOf(id)}:fetchPredictOperation`,
    body: jsonBody({ operationName: id }),
  }),
  readTask,
  readInline,
  resultsNeedKey: true,
  linksDieSoon: true,
  charged: chargedByTime,
};

export const vertexVideo: Provider = {
  name: 'vertex-video',
  facts: {
    label: 'Vertex AI video',
    about: 'Asynchronous video of Veo on Google Vertex AI, charged by seconds',
    baseUrl: {
      example: 'https://us-central1-aiplatform.googleapis.com',
      hint: 'The host alone, which says the region; the gateway adds project, location and model',
    },
    key: { hint: 'Service account as JSON in one line; or an API key of express mode' },
    units: [],
    listedAs: 'google',
    options: ['project', 'location', 'token_url'],
    presets: [
      { vendor: 'Google Vertex AI', baseUrl: 'https://us-central1-aiplatform.googleapis.com' },
      { vendor: 'Google Vertex AI, global', baseUrl: 'https://aiplatform.googleapis.com' },
    ],
  },
  paths: {},
  endpointTypes: ['compat-video'],
  ...serviceAccountOrKey,
  test: {
    look: '/v1beta1/publishers/google/models?pageSize=1',
    readComplaint,
    isAnswer: (body) => parseAnswer(body) !== undefined,
  },
  video,
};
