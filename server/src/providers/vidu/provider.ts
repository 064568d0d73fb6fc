// Vidu: tasks by path, charged by seconds or by its credits.
import type { Provider } from '../provider.ts';
import { idAt, parseAnswer } from '../upstream-values.ts';
import { jsonBody } from '../video-body.ts';
import { chargedByTime } from '../video/bill-by-time.ts';
import type { VideoProvider } from '../video-provider.ts';
import { readComplaint, readRefusal, readTask } from './read-task.ts';
import { planTask } from './write-task.ts';

const taskPath = (id: string): string => `/ent/v2/tasks/${encodeURIComponent(id)}`;

const video: VideoProvider = {
  units: ['second', 'reported'],
  plan: planTask,
  submit: ({ body, sent }) => ({ method: 'POST', path: `/ent/v2/${String(sent['kind'])}`, body }),
  readSubmitted: idAt('task_id'),
  readRefusal,
  readComplaint,
  poll: ({ id }) => ({ method: 'GET', path: `${taskPath(id)}/creations` }),
  readTask,
  // Only what it has not begun can be stopped, in practice tasks of its off-peak hours; others are refused and go on.
  cancel: ({ id }) => ({ method: 'POST', path: `${taskPath(id)}/cancel`, body: jsonBody({ id }) }),
  // A day.
  linksDieSoon: true,
  charged: chargedByTime,
};

export const vidu: Provider = {
  name: 'vidu',
  facts: {
    label: 'Vidu',
    about: 'Asynchronous video of Vidu, charged by seconds or by its credits',
    baseUrl: { example: 'https://api.vidu.com', hint: 'The host alone: the gateway adds /ent/v2' },
    key: { hint: 'API key, sent as Authorization: Token' },
    units: [],
    presets: [
      { vendor: 'Vidu', baseUrl: 'https://api.vidu.com' },
      { vendor: 'Vidu, China', baseUrl: 'https://api.vidu.cn', note: 'Keys belong to one of the two hosts' },
    ],
  },
  paths: {},
  endpointTypes: ['compat-video'],
  sign: (_request, key) => (key === '' ? {} : { authorization: `Token ${key}` }),
  test: {
    look: '/ent/v2/credits',
    readComplaint,
    isAnswer: (body) => parseAnswer(body) !== undefined,
  },
  video,
};
