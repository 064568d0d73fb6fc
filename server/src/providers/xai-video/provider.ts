// Videos of xAI, charged by seconds or by the dollars that it reports.
import { bearer } from '../credentials/api-key.ts';
import type { Provider } from '../provider.ts';
import { listLook } from '../test-calls.ts';
import { idAt } from '../upstream-values.ts';
import { chargedByTime } from '../video/bill-by-time.ts';
import type { VideoProvider } from '../video-provider.ts';
import { readComplaint, readRefusal, readTask } from './read-task.ts';
import { planTask } from './write-task.ts';

const video: VideoProvider = {
  units: ['second', 'reported'],
  plan: planTask,
  submit: ({ body, sent }) => ({ method: 'POST', path: `/videos/${String(sent['kind'])}`, body }),
  readSubmitted: idAt('request_id'),
  readRefusal,
  readComplaint,
  poll: ({ id }) => ({ method: 'GET', path: `/videos/${encodeURIComponent(id)}` }),
  readTask,
  // How long its links live is published nowhere.
  linksDieSoon: true,
  charged: chargedByTime,
};

export const xaiVideo: Provider = {
  name: 'xai-video',
  facts: {
    label: 'xAI video',
    about: 'Asynchronous video of xAI, charged by seconds or by the dollars that it reports',
    baseUrl: { example: 'https://api.x.ai/v1', hint: 'Ends in /v1: the gateway adds /videos' },
    key: { hint: 'API key, sent as a bearer token' },
    units: [],
    listedAs: 'x-ai',
    presets: [{ vendor: 'xAI', baseUrl: 'https://api.x.ai/v1' }],
  },
  paths: {},
  endpointTypes: ['compat-video'],
  sign: bearer,
  test: listLook('/models', 'data', readComplaint),
  video,
};
