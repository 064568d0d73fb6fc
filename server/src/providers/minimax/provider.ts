// MiniMax: H3 by its second API, Hailuo and the models before it by the first.
import { bearer } from '../credentials/api-key.ts';
import type { Provider } from '../provider.ts';
import { chargedByTime } from '../video/bill-by-time.ts';
import type { VideoProvider } from '../video-provider.ts';
import { isKnownKey, readComplaint, readLink, readRefusal, readSubmitted, readTask } from './read-task.ts';
import { planTask } from './write-task.ts';

const video: VideoProvider = {
  units: ['second', 'reported'],
  plan: planTask,
  submit: ({ body, sent }) => ({ method: 'POST', path: `/${String(sent['api'])}/video_generation`, body }),
  readSubmitted,
  handleOf: ({ upstreamId, sent }) => ({ id: upstreamId, api: String(sent['api']) }),
  readRefusal,
  readComplaint,
  poll: ({ id, api }) => {
    const query = encodeURIComponent(id);
    const path = api === 'v2' ? `/v2/query/video_generation/${query}` : `/v1/query/video_generation?task_id=${query}`;
    return { method: 'GET', path };
  },
  readTask,
  readLink,
  // Of the second API, while the task is queued; one that runs goes on.
  cancel: ({ id, api }) =>
    api === 'v2' ? { method: 'DELETE', path: `/v2/video_generation/${encodeURIComponent(id)}` } : undefined,
  // Links of the first API live for 9 hours; those of the second for a time that is published nowhere.
  linksDieSoon: true,
  charged: chargedByTime,
};

export const minimax: Provider = {
  name: 'minimax',
  facts: {
    label: 'MiniMax video',
    about: 'Asynchronous video of MiniMax: H3, and Hailuo with the models before it',
    baseUrl: { example: 'https://api.minimax.io', hint: 'The host alone: the gateway adds /v1 or /v2 by the model' },
    key: { hint: 'API key, sent as a bearer token' },
    units: [],
    listedAs: 'minimax',
    presets: [
      { vendor: 'MiniMax', baseUrl: 'https://api.minimax.io' },
      { vendor: 'MiniMax, China', baseUrl: 'https://api.minimaxi.com', note: 'Keys belong to one of the two hosts' },
    ],
  },
  paths: {},
  endpointTypes: ['compat-video'],
  sign: bearer,
  test: { look: '/v1/query/video_generation?task_id=0', readComplaint, isAnswer: isKnownKey },
  video,
};
