// Videos of Gemini Omni: interactions in the background, charged by seconds or by the tokens of the video.
import { keyHeader } from '../credentials/api-key.ts';
import { readComplaint, readRefusal } from '../google-video/errors.ts';
import { nextToken, readModelPage } from '../model-list.ts';
import type { Provider } from '../provider.ts';
import { listLook } from '../test-calls.ts';
import { idAt } from '../upstream-values.ts';
import { chargedByTime } from '../video/bill-by-time.ts';
import type { VideoProvider } from '../video-provider.ts';
import { readInline, readTask } from './read-task.ts';
import { planTask } from './write-task.ts';

const INTERACTIONS = '/v1beta/interactions';
const pathOf = (id: string): string => `${INTERACTIONS}/${encodeURIComponent(id)}`;

const video: VideoProvider = {
  units: ['second', 'reported'],
  wantsBytes: true,
  plan: planTask,
  submit: ({ body }) => ({ method: 'POST', path: INTERACTIONS, body }),
  readSubmitted: idAt('id'),
  readRefusal,
  readComplaint,
  poll: ({ id }) => ({ method: 'GET', path: pathOf(id) }),
  readTask,
  readInline,
  cancel: ({ id }) => ({ method: 'POST', path: `${pathOf(id)}/cancel` }),
  resultsNeedKey: true,
  // Files live for two days, and a video inside an answer as long as the interaction is kept.
  linksDieSoon: true,
  charged: chargedByTime,
};

export const geminiVideo: Provider = {
  name: 'gemini-video',
  facts: {
    label: 'Gemini video',
    about: 'Asynchronous video of Gemini Omni, charged by seconds or by the tokens of the video',
    baseUrl: { example: 'https://generativelanguage.googleapis.com', hint: 'The host alone: the gateway adds /v1beta' },
    key: { hint: 'API key, sent as x-goog-api-key' },
    units: [],
    presets: [{ vendor: 'Google AI Studio', baseUrl: 'https://generativelanguage.googleapis.com' }],
  },
  paths: {},
  endpointTypes: ['compat-video'],
  sign: keyHeader('x-goog-api-key'),
  models: {
    path: '/v1beta/models?pageSize=1000',
    readComplaint,
    read: readModelPage({
      list: 'models',
      id: 'name',
      prefix: 'models/',
      next: nextToken('nextPageToken', 'pageToken'),
    }),
  },
  test: listLook('/v1beta/models?pageSize=1', 'models', readComplaint),
  video,
};
