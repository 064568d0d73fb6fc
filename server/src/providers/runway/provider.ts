// Runway: tasks of its own models and of others that it resells, charged by seconds or by its credits.
import { bearer } from '../credentials/api-key.ts';
import type { Provider } from '../provider.ts';
import { idAt, parseAnswer } from '../upstream-values.ts';
import { chargedByTime } from '../video/bill-by-time.ts';
import type { VideoProvider } from '../video-provider.ts';
import { readComplaint, readRefusal, readTask } from './read-task.ts';
import { planTask } from './write-task.ts';

const VERSION = '2024-11-06';
const taskPath = (id: string): string => `/v1/tasks/${encodeURIComponent(id)}`;

const video: VideoProvider = {
  units: ['second', 'reported'],
  plan: planTask,
  submit: ({ body, sent }) => ({ method: 'POST', path: `/v1/${String(sent['kind'])}`, body }),
  readSubmitted: idAt('id'),
  readRefusal,
  readComplaint,
  poll: ({ id }) => ({ method: 'GET', path: taskPath(id) }),
  readTask,
  cancel: ({ id }) => ({ method: 'DELETE', path: taskPath(id) }),
  // A day or two; a poll renews them, but only as long as the task is kept.
  linksDieSoon: true,
  charged: chargedByTime,
};

export const runway: Provider = {
  name: 'runway',
  facts: {
    label: 'Runway',
    about: 'Asynchronous video of Runway, charged by seconds or by its credits',
    baseUrl: { example: 'https://api.dev.runwayml.com', hint: 'The host alone: the gateway adds /v1' },
    key: { hint: 'API secret, sent as a bearer token' },
    units: [],
    listedAs: 'runway',
    presets: [{ vendor: 'Runway', baseUrl: 'https://api.dev.runwayml.com' }],
  },
  paths: {},
  endpointTypes: ['compat-video'],
  headers: { 'x-runway-version': VERSION },
  sign: bearer,
  test: {
    look: '/v1/organization',
    readComplaint,
    isAnswer: (body) => parseAnswer(body)?.['creditBalance'] !== undefined,
  },
  video,
};
